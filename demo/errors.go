package demo

import (
	"fmt"

	"github.com/pitlane-go/pitlane/kafkatest"
)

// usageCode is the exit code for a mistake in the command line.
const usageCode = 2

// VerdictError says that the history of the demo breaks a promise.
type VerdictError struct {
	// Report is what the checker found.
	Report *kafkatest.Report
}

// Error implements error.
func (e *VerdictError) Error() string {
	return fmt.Sprintf("the run broke a promise: %v", e.Report.Err())
}

// SettingsError says what is wrong with the settings of a command.
type SettingsError struct{ Cause error }

// Error implements error.
func (e *SettingsError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *SettingsError) Unwrap() error { return e.Cause }

// ExitCode is what the process ends with.
func (e *SettingsError) ExitCode() int { return usageCode }
