package delivery

import (
	"context"
	"slices"
	"sync"

	"github.com/pitlane-go/pitlane/processor"
)

// Attempt is the delivery side of one run of a processor: the records that it
// sent. It is safe for concurrent use. It belongs to the producer generation of
// its first send.
type Attempt struct {
	producer *Producer // set at construction

	mu    sync.Mutex
	gen   *generation // since the first send
	open  int         // sends under way, and records without a report
	ended bool        // nothing more is let in
	// endCh is made by the first Send that waits for room, and closed by End.
	endCh chan struct{}
	// finished is made by the first Wait, and closed when all is resolved.
	finished    chan struct{}
	endCalled   bool
	done        func()
	failures    Errors
	failedIndex int
}

// Send hands a record to the producer for the message with this index. It
// returns at once, or waits while the producer's queue is full: until there is
// room, ctx ends, End is called or the producer is closed.
//
// The error is an *Error, and it fails the attempt also when it is ignored. After
// End it is processor.ErrAttemptEnded, and the attempt stays as it is.
//
// The record's bytes are copied before Send returns. Nil and empty differ in
// key, value and header values. The timestamp has millisecond resolution; the
// first millisecond of 1970 cannot be expressed and is written as now.
func (a *Attempt) Send(ctx context.Context, index int, r processor.Record) error {
	g, err := a.enter()
	if err != nil {
		return err
	}
	h := handle{attempt: a, index: index, topic: r.Topic}
	if ctx.Err() != nil {
		failure := g.cancelled(ctx, h, &r)
		a.resolve(index, failure)
		return failure
	}
	if failure := g.send(ctx, h, &r); failure != nil {
		a.resolve(index, failure)
		return failure
	}
	return nil
}

// enter opens one record, and binds the attempt with the first.
func (a *Attempt) enter() (*generation, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return nil, processor.ErrAttemptEnded
	}
	if a.gen == nil {
		a.gen = a.producer.current.Load()
	}
	a.open++
	return a.gen, nil
}

// resolve closes one record; failure is nil when it was acknowledged.
func (a *Attempt) resolve(index int, failure *Error) {
	a.mu.Lock()
	a.open--
	if failure != nil {
		a.failures = append(a.failures, failure)
		if a.failedIndex < 0 || index < a.failedIndex {
			a.failedIndex = index
		}
	}
	done := a.finish()
	a.mu.Unlock()
	if done != nil {
		done()
	}
}

// finish returns the done function when the last record of an ended attempt is
// resolved. The caller holds mu, and calls it after letting go.
func (a *Attempt) finish() func() {
	if !a.ended || a.open > 0 {
		return nil
	}
	if a.finished != nil {
		close(a.finished)
		a.finished = nil
	}
	done := a.done
	a.done = nil
	return done
}

// End lets no further record in (Send answers processor.ErrAttemptEnded; one
// that waits for room gives up and fails the attempt) and calls done exactly
// once, when every record has been resolved: inside End, or later on the
// goroutine of the delivery reports or of a Send that was under way. done must
// not block. A second End is a defect of the caller and panics.
func (a *Attempt) End(done func()) {
	a.mu.Lock()
	if a.endCalled {
		a.mu.Unlock()
		panic("delivery: End called twice on one attempt")
	}
	a.endCalled, a.done = true, done
	a.stop()
	done = a.finish()
	a.mu.Unlock()
	if done != nil {
		done()
	}
}

// stop lets no further record in. The caller holds mu.
func (a *Attempt) stop() {
	if !a.ended && a.endCh != nil {
		close(a.endCh)
	}
	a.ended = true
}

// ending returns a channel that is closed by End. The caller has an open record.
func (a *Attempt) ending() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.endCh == nil {
		a.endCh = make(chan struct{})
		if a.ended {
			close(a.endCh)
		}
	}
	return a.endCh
}

// Err is nil when every record was acknowledged, else an *Error, or Errors when
// several failed. It is final once done has been called.
func (a *Attempt) Err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch len(a.failures) {
	case 0:
		return nil
	case 1:
		return a.failures[0]
	}
	// The slice may still grow; what is returned must not.
	return slices.Clip(a.failures)
}

// FailedIndex is the lowest message index of which a record failed, or -1. It is
// final once done has been called.
func (a *Attempt) FailedIndex() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failedIndex
}
