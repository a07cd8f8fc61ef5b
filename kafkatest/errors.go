package kafkatest

import (
	"errors"
	"fmt"
)

// ErrUnknownName is returned when a journal uses a kind or an outcome that this
// version does not know.
var ErrUnknownName = errors.New("name is not known")

// ErrNoTopic is what a Recorder answers to a record without a topic.
var ErrNoTopic = errors.New("send record: it has no topic")

// JournalError is returned when a line of a journal cannot be read.
type JournalError struct {
	Line int // from 1
	Err  error
}

// Error names the line and the cause.
func (e *JournalError) Error() string {
	return fmt.Sprintf("read journal line %d: %v", e.Line, e.Err)
}

// Unwrap returns the cause.
func (e *JournalError) Unwrap() error { return e.Err }

// CheckError is returned by Report.Err and Diff.Err when a run broke a promise.
type CheckError struct {
	Summary string // the counts
	Detail  string // the evidence
}

// Error returns the counts and the evidence.
func (e *CheckError) Error() string {
	return "check history: " + e.Summary + e.Detail
}
