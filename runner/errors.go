package runner

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pitlane-go/pitlane/processor"
)

// ErrAlreadyRun is returned by a second Run of the same Runner.
var ErrAlreadyRun = errors.New("run: a runner runs once; make a new one")

// ErrCancelled is the cause that ends the contexts of attempts when shutdown
// does not wait any longer.
var ErrCancelled = errors.New("shutdown: running attempts were cancelled")

// ConfigError says what is wrong with a Config: all problems, each starting with
// the field's name.
type ConfigError struct{ Problems []error }

// Error implements error.
func (e *ConfigError) Error() string {
	return "configuration: " + errors.Join(e.Problems...).Error()
}

// Unwrap returns the problems.
func (e *ConfigError) Unwrap() []error { return e.Problems }

// StartError says that the runner could not start: brokers unreachable, a named
// topic absent, a Setup that failed.
type StartError struct{ Cause error }

// Error implements error.
func (e *StartError) Error() string { return "start: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Cause }

// StoppedError says that a processor (Stop) or the policy (on_exhausted: stop)
// stopped the runner.
type StoppedError struct {
	Partition processor.Partition
	Cause     error
}

// Error implements error.
func (e *StoppedError) Error() string {
	return fmt.Sprintf("stopped by %s partition %d: %v", e.Partition.Topic, e.Partition.Partition, e.Cause)
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Cause }

// GaveUpError says that the runner met trouble that it could not get over: a
// client that failed for good, or a grace time that is over.
type GaveUpError struct{ Cause error }

// Error implements error.
func (e *GaveUpError) Error() string { return "gave up: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *GaveUpError) Unwrap() error { return e.Cause }

// UnfinishedError says that the stop ended with work unfinished or uncommitted:
// those messages come again at the next start.
type UnfinishedError struct {
	// Running partitions had an attempt that did not return in time, or records
	// without a delivery report.
	Running []processor.Partition
	// Uncommitted partitions have a position that was not committed.
	Uncommitted []processor.Partition
	// Cause says what else went wrong, or is nil.
	Cause error
}

// Error implements error.
func (e *UnfinishedError) Error() string {
	var b strings.Builder
	b.WriteString("stopped with work left")
	list := func(what string, parts []processor.Partition) {
		for i, p := range parts {
			if i == 0 {
				fmt.Fprintf(&b, "; %s:", what)
			}
			fmt.Fprintf(&b, " %s/%d", p.Topic, p.Partition)
		}
	}
	list("unfinished", e.Running)
	list("uncommitted", e.Uncommitted)
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %v", e.Cause)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *UnfinishedError) Unwrap() error { return e.Cause }

// The exit codes of the command line.
const (
	ExitOK         = 0 // clean
	ExitFailed     = 1 // could not start, Stop, on_exhausted: stop
	ExitUsage      = 2 // usage or configuration
	ExitUnfinished = 3 // stopped with work unfinished or uncommitted
	ExitGaveUp     = 4 // gave up
)

// ExitCode maps an error of Run to an exit code. What ended the run comes before
// how it ended: a Stop that left work unfinished is ExitFailed.
func ExitCode(err error) int {
	var (
		config     *ConfigError
		start      *StartError
		stopped    *StoppedError
		gaveUp     *GaveUpError
		unfinished *UnfinishedError
	)
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &config):
		return ExitUsage
	case errors.As(err, &gaveUp):
		return ExitGaveUp
	case errors.As(err, &stopped), errors.As(err, &start):
		return ExitFailed
	case errors.As(err, &unfinished):
		return ExitUnfinished
	}
	return ExitFailed
}
