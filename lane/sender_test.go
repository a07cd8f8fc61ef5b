package lane_test

import (
	"context"
	"slices"
	"sync"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// sender is a lane.Sender whose reports the test gives.
type sender struct {
	mu       sync.Mutex
	attempts []*attempt
	// atOnce resolves an attempt inside End; nil leaves it open.
	atOnce func(a *attempt)
	// refuse is what Send answers; nil takes the record.
	refuse func(r processor.Record) error
}

// Begin implements lane.Sender.
func (s *sender) Begin() lane.Attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := &attempt{sender: s, failedIndex: -1}
	s.attempts = append(s.attempts, a)
	return a
}

// of returns the attempts that sent on behalf of the offset, oldest first.
func (s *sender) of(offset int64) (out []*attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.attempts {
		if slices.Contains(a.offsets(), offset) {
			out = append(out, a)
		}
	}
	return out
}

// open returns the attempts that have ended and are not resolved, oldest first.
func (s *sender) open() (out []*attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.attempts {
		if a.waits() {
			out = append(out, a)
		}
	}
	return out
}

// settle resolves ended attempts and those to come: all is acknowledged.
func (s *sender) settle() {
	s.mu.Lock()
	s.atOnce = (*attempt).ack
	s.mu.Unlock()
	for _, a := range s.open() {
		a.ack()
	}
}

func (s *sender) resolver() func(*attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.atOnce
}

// attempt is a lane.Attempt. The key of each record is the offset that sent it.
type attempt struct {
	sender *sender

	mu          sync.Mutex
	sent        []int64
	ended       bool
	resolved    bool
	done        func()
	err         error
	failedIndex int
}

// Send implements lane.Attempt.
func (a *attempt) Send(_ context.Context, index int, r processor.Record) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return processor.ErrAttemptEnded
	}
	a.sent = append(a.sent, offsetOf(r.Key))
	if a.sender.refuse != nil {
		if err := a.sender.refuse(r); err != nil {
			a.failed(index, err)
			return err
		}
	}
	return nil
}

// failed notes a failed record. Under mu.
func (a *attempt) failed(index int, err error) {
	if a.err == nil {
		a.err = err
	}
	if a.failedIndex < 0 || index < a.failedIndex {
		a.failedIndex = index
	}
}

// End implements lane.Attempt.
func (a *attempt) End(done func()) {
	a.mu.Lock()
	if a.ended {
		a.mu.Unlock()
		panic("End called twice")
	}
	a.ended, a.done = true, done
	a.mu.Unlock()
	if resolve := a.sender.resolver(); resolve != nil {
		resolve(a)
	}
}

// ack acknowledges every record that did not fail already.
func (a *attempt) ack() { a.resolve(-1, nil) }

// fail lets the record of the message with this index fail.
func (a *attempt) fail(index int, err error) { a.resolve(index, err) }

func (a *attempt) resolve(index int, err error) {
	a.mu.Lock()
	if !a.ended || a.resolved {
		a.mu.Unlock()
		panic("resolved before its end, or twice")
	}
	a.resolved = true
	if err != nil {
		a.failed(index, err)
	}
	a.mu.Unlock()
	a.done()
}

// Err implements lane.Attempt.
func (a *attempt) Err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err
}

// FailedIndex implements lane.Attempt.
func (a *attempt) FailedIndex() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failedIndex
}

func (a *attempt) offsets() []int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.sent)
}

func (a *attempt) waits() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ended && !a.resolved
}

// acknowledged reports whether all records have been.
func (a *attempt) acknowledged() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.resolved && a.err == nil
}

// deliveryError is a failure of delivery of a class.
type deliveryError struct {
	class processor.Class
	text  string
}

func (e *deliveryError) Error() string          { return e.text }
func (e *deliveryError) Class() processor.Class { return e.class }
