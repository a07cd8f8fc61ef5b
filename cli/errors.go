package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pitlane-go/pitlane/config"
	"github.com/pitlane-go/pitlane/runner"
)

// errNoProcessor is what a program without any processor answers to run. Give
// cli.Main a processor, or offer some with cli.WithProcessor.
var errNoProcessor = errors.New("the program has no processor: give one to cli.Main")

// usageError is a command line that cannot be understood.
type usageError struct {
	command string
	cause   error
}

func (e *usageError) Error() string {
	return fmt.Sprintf("%v\nrun '%s --help' to see what there is", e.cause, e.command)
}

func (e *usageError) Unwrap() error { return e.cause }

// reportedError ended a command that has said so already.
type reportedError struct {
	code  int
	cause error
}

func (e *reportedError) Error() string { return e.cause.Error() }
func (e *reportedError) Unwrap() error { return e.cause }
func (e *reportedError) ExitCode() int { return e.code }

// exitCode maps what a command returned to the exit code of the process. An
// error of an added command may choose its own with ExitCode() int.
func exitCode(err error) int {
	var (
		usage  *usageError
		config *config.Error
		coded  interface{ ExitCode() int }
	)
	switch {
	case err == nil:
		return runner.ExitOK
	case errors.As(err, &usage), errors.As(err, &config):
		return runner.ExitUsage
	case errors.As(err, &coded):
		return coded.ExitCode()
	}
	return runner.ExitCode(err)
}

// report prints an error that the command has not reported itself.
func (a *app) report(err error) {
	var reported *reportedError
	if err == nil || errors.As(err, &reported) {
		return
	}
	text := strings.TrimRight(err.Error(), "\n")
	_, _ = fmt.Fprintf(a.program.Stderr, "%s: %s\n", a.program.Name, text)
}
