package lane

import (
	"context"
	"time"

	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

// Feed is where a lane takes its messages from: one assigned partition of one
// member. The lane's goroutine is its only reader.
type Feed interface {
	// Read returns at most limit messages and never blocks. They lie in one
	// slab that is never reused, so they may be retained. more is false when
	// the feed was seen empty: Wake will be signalled by the next message.
	// After Close it returns ErrFeedClosed. Any other error belongs to the
	// partition (offset out of range, not authorised): the feed is dead and
	// only a new assignment cures it. Messages may come with an error.
	Read(limit int) (msgs []processor.Message, more bool, err error)
	// Wake has capacity 1 and holds a token when there may be something to
	// read; it starts with one.
	Wake() <-chan struct{}
}

// Sender begins attempts; delivery.Producer is one.
type Sender interface {
	// Begin opens an attempt. It is called at the first Send of a run.
	Begin() Attempt
}

// Attempt is the delivery side of one run of the processor: the records that
// it sent. It is safe for concurrent use.
type Attempt interface {
	// Send hands a record to the producer for the message with this index.
	Send(ctx context.Context, index int, r processor.Record) error
	// End lets no further record in (Send answers ErrAttemptEnded) and calls
	// done exactly once, when every record has been resolved: inside End, or
	// later on the goroutine of the delivery reports. done must not block.
	End(done func())
	// Err is nil when every record was acknowledged, else an error that joins
	// every failed one. It is final once done has been called.
	Err() error
	// FailedIndex is the lowest message index of which a record failed, or -1.
	// It is final once done has been called.
	FailedIndex() int
}

// Failure is what a Policy decides about.
type Failure struct {
	Partition processor.Partition
	// Offset is the first offset of the unit; Messages how many it has.
	Offset   int64
	Messages int
	// Attempt is the number of runs that counted, this one included.
	Attempt int
	// Troubles is how many infrastructure or configuration failures in a row
	// the unit had, this one included; 0 for the other classes.
	Troubles int
	Verdict  processor.Verdict
	Err      error
}

// Action is what follows a failure.
type Action int

const (
	// Retry runs the unit again after Wait.
	Retry Action = iota
	// Skip settles the unit: counted and logged.
	Skip
	// Pause gives the partition up until an operator resumes it or the
	// assignment ends.
	Pause
	// Stop stops the runner.
	Stop
	// Split runs the messages of a batch again as batches of one: only what
	// fails alone follows the policy. The lane asks for it itself.
	Split
)

// String returns the word that logs use.
func (a Action) String() string {
	switch a {
	case Retry:
		return "retry"
	case Skip:
		return "skip"
	case Pause:
		return "pause"
	case Stop:
		return "stop"
	case Split:
		return "split"
	}
	return "unknown"
}

// Decision is a Policy's answer.
type Decision struct {
	Action Action
	// Wait is how long the lane holds before the next run (Retry only).
	Wait time.Duration
	// Reason is the reason of that hold: pause.Retry or pause.Delivery.
	Reason pause.Reason
}

// Policy decides what follows a failure. The runner makes one from the
// configuration; it must not block.
type Policy interface {
	Decide(f Failure) Decision
}

// Slots bounds the running attempts of a process. The lanes share one value.
type Slots interface {
	// Acquire waits for a slot, or returns the context's error.
	Acquire(ctx context.Context) error
	// Release gives a slot back.
	Release()
	// Contended tells, cheaply, that somebody waits: a lane that goes on
	// without giving its slot back asks after every unit.
	Contended() bool
}
