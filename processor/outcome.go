package processor

import (
	"fmt"
	"time"
)

// outcome wraps an error with the class that the processor chose for it.
type outcome struct {
	class Class
	err   error
}

func (o *outcome) Error() string {
	if o.err == nil {
		return o.class.String()
	}
	return o.class.String() + ": " + o.err.Error()
}
func (o *outcome) Unwrap() error { return o.err }
func (o *outcome) Class() Class  { return o.class }

// Skip settles the message without success: it is counted and logged with err,
// and never run again. What the attempt sent is still delivered first.
func Skip(err error) error { return &outcome{ClassSkip, err} }

// DeadLetter says that the message can never be processed. It goes to the
// dead-letter topic, or follows pause.on_exhausted when there is none.
func DeadLetter(err error) error { return &outcome{ClassPermanent, err} }

// Stop stops the runner. The message is not settled and nothing is committed
// past it.
func Stop(err error) error { return &outcome{ClassStop, err} }

type retryAfterError struct {
	delay time.Duration
	err   error
}

func (e *retryAfterError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("retry after %v", e.delay)
	}
	return fmt.Sprintf("retry after %v: %v", e.delay, e.err)
}
func (e *retryAfterError) Unwrap() error { return e.err }
func (e *retryAfterError) Class() Class  { return ClassTransient }

// RetryAfter fails the attempt like any other error, but the next one starts
// after d instead of the configured back-off; 0 or less means at once. It counts
// as an attempt.
func RetryAfter(d time.Duration, err error) error {
	return &retryAfterError{max(d, 1), err} // 0 would read as "not asked for"
}

type failedAtError struct {
	index int
	err   error
}

func (e *failedAtError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("message %d of the batch failed", e.index)
	}
	return fmt.Sprintf("message %d of the batch: %v", e.index, e.err)
}

// Unwrap gives a cause also when there is none, so that FailedAt without one is
// transient.
func (e *failedAtError) Unwrap() error { return e.err }

// FailedAt says that the messages below index i of the batch succeeded and that
// message i failed with err, whose class counts. What is below i settles once
// its records are acknowledged; i and what follows run again. An index outside
// the batch fails the whole batch.
func FailedAt(i int, err error) error { return &failedAtError{i, err} }
