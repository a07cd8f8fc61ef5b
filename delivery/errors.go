package delivery

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pitlane-go/pitlane/processor"
)

var (
	// ErrClosed is the cause of sends after Close, and of records that had no
	// report when Close ended. The runner is stopping: nothing to do.
	ErrClosed = errors.New("the producer is closed")

	// ErrUndelivered is what Close answers when records were still waiting for
	// their report at its deadline. They were purged; each may have been written.
	ErrUndelivered = errors.New("records had no delivery report in time")

	// ErrAbandoned is what Close answers when the client did not close in time.
	// Its threads stay until the process ends.
	ErrAbandoned = errors.New("the producer's client did not close in time and was abandoned")
)

// RefusedError is a client property that would break a promise of Pitlane.
// Remove it from the configuration.
type RefusedError struct {
	Property, Value string
	// Rule says which values are refused, Reason what they would break.
	Rule, Reason string
}

// Error implements error.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s=%s is refused (%s): %s", e.Property, e.Value, e.Rule, e.Reason)
}

// Outcome is what is known about a record.
type Outcome int

const (
	// OutcomeUnknown says that the record may be in the log. Every failure that a report
	// tells is one: a time-out or a purge never proves that a record was not
	// written.
	OutcomeUnknown Outcome = iota
	// OutcomeAcked says that the brokers have it.
	OutcomeAcked
	// OutcomeNotSent says that the client never took it, so it was not written.
	OutcomeNotSent
)

// String returns the word that logs use.
func (o Outcome) String() string {
	switch o {
	case OutcomeUnknown:
		return "unknown"
	case OutcomeAcked:
		return "acked"
	case OutcomeNotSent:
		return "not_sent"
	}
	return "invalid"
}

func (o Outcome) words() string {
	switch o {
	case OutcomeAcked:
		return "was written"
	case OutcomeNotSent:
		return "was not written"
	case OutcomeUnknown:
	}
	return "may have been written"
}

// Error is one record that was not acknowledged. errors.As reaches the client's
// kafka.Error in it, errors.Is its sentinel causes.
type Error struct {
	Topic string
	// Partition is the one that the record was for, or -1 when the client had
	// not chosen one.
	Partition int32
	// Index is the message of the unit that the record was sent for.
	Index int
	// Code is the client's error code, or 0 when the client was not asked.
	Code int
	// Outcome is what is known about the record.
	Outcome Outcome
	// Generation is the number of the producer that had the record.
	Generation int64
	// Advice says where to look and which setting to change.
	Advice string
	// Cause is the original error.
	Cause error

	class processor.Class
}

// Error implements error: the original cause first, then what is known about
// the record, then what to do.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: record for topic %q", e.Cause, e.Topic)
	if e.Partition >= 0 {
		fmt.Fprintf(&b, " partition %d", e.Partition)
	}
	fmt.Fprintf(&b, " %s (message %d of the unit, producer generation %d)", e.Outcome.words(), e.Index, e.Generation)
	if e.Advice != "" {
		b.WriteString(": ")
		b.WriteString(e.Advice)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Class implements processor.Classified.
func (e *Error) Class() processor.Class { return e.class }

// Errors joins the records of one attempt that were not acknowledged, in the
// order in which they failed.
type Errors []*Error

// errorsShown is how many errors the text of Errors spells out: an attempt may
// have sent thousands of records, and they mostly fail for one reason.
const errorsShown = 3

// Error implements error.
func (e Errors) Error() string {
	texts := make([]string, 0, errorsShown+1)
	for i, one := range e {
		if i == errorsShown {
			texts = append(texts, fmt.Sprintf("and %d more records", len(e)-errorsShown))
			break
		}
		texts = append(texts, one.Error())
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns the errors of all records.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}
