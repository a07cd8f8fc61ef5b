package cli_test

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/config"
	"github.com/pitlane-go/pitlane/processor"
	"github.com/pitlane-go/pitlane/runner"
)

// staged is an engine that says which step it has reached and ends when told.
type staged struct {
	running, stopped, cancelled, end chan struct{}
}

func newStaged() *staged {
	return &staged{make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})}
}

func (s *staged) Run(context.Context) error { close(s.running); <-s.end; return nil }
func (s *staged) Stop()                     { close(s.stopped) }
func (s *staged) Cancel()                   { close(s.cancelled) }

// start runs the program beside the test, and gives its exit code.
func start(t *testing.T, e cli.Engine, signals <-chan os.Signal) <-chan result {
	t.Helper()
	ended := make(chan result, 1)
	go func() {
		ended <- runProgram(t, cli.Program{Args: command("run", minimal()...), Signals: signals},
			cli.WithEngine(func(*config.Config) cli.Engine { return e }))
	}()
	return ended
}

func TestTheFirstSignalStops(t *testing.T) {
	t.Parallel()
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		e, signals := newStaged(), make(chan os.Signal)
		ended := start(t, e, signals)
		<-e.running
		signals <- s
		<-e.stopped
		close(e.end)
		if got := <-ended; got.code != 0 {
			t.Errorf("%v: exit code %d", s, got.code)
		}
		select {
		case <-e.cancelled:
			t.Errorf("%v cancelled", s)
		default:
		}
	}
}

func TestTheSecondSignalCancelsAndTheThirdLeaves(t *testing.T) {
	t.Parallel()
	e, signals := newStaged(), make(chan os.Signal)
	ended := start(t, e, signals)
	<-e.running
	signals <- syscall.SIGTERM
	<-e.stopped
	signals <- syscall.SIGTERM
	<-e.cancelled
	signals <- syscall.SIGTERM
	got := <-ended
	if got.code != 3 || !strings.Contains(got.stderr, "left at once") {
		t.Errorf("exit code %d, %s", got.code, got.stderr)
	}
	close(e.end)
}

func TestASignalBeforeTheStartStillStops(t *testing.T) {
	t.Parallel()
	e, signals := newStaged(), make(chan os.Signal)
	reached, built := make(chan struct{}), make(chan struct{})
	ended := make(chan result, 1)
	go func() {
		ended <- runProgram(t, cli.Program{Args: command("run", minimal()...), Signals: signals},
			cli.WithEngine(func(*config.Config) cli.Engine { close(reached); <-built; return e }))
	}()
	<-reached
	signals <- syscall.SIGTERM
	close(built)
	<-e.stopped
	<-e.running
	close(e.end)
	if got := <-ended; got.code != 0 {
		t.Errorf("exit code %d", got.code)
	}
}

func TestASignalEndsTheContextOfAnotherCommand(t *testing.T) {
	t.Parallel()
	signals := make(chan os.Signal)
	ended := make(chan result, 1)
	extra := &cobra.Command{Use: "extra", RunE: func(cmd *cobra.Command, _ []string) error {
		<-cmd.Context().Done()
		return nil
	}}
	go func() {
		ended <- runProgram(t, cli.Program{Args: []string{"extra"}, Signals: signals}, cli.WithCommand(extra))
	}()
	signals <- os.Interrupt
	if got := <-ended; got.code != 0 {
		t.Errorf("exit code %d", got.code)
	}
}

func TestHowARunEndedIsTheExitCode(t *testing.T) {
	t.Parallel()
	part := processor.Partition{Topic: "uploads", Partition: 3}
	for want, err := range map[int]error{
		0: nil,
		1: &runner.StoppedError{Partition: part, Cause: os.ErrInvalid},
		2: &runner.ConfigError{Problems: []error{os.ErrInvalid}},
		3: &runner.UnfinishedError{Uncommitted: []processor.Partition{part}},
		4: &runner.GaveUpError{Cause: os.ErrInvalid},
	} {
		got := run(t, command("run", minimal()...), cli.WithEngine(func(*config.Config) cli.Engine {
			return cli.EngineFunc(func(context.Context) error { return err })
		}))
		if got.code != want {
			t.Errorf("%v gave exit code %d", err, got.code)
		}
		if err != nil && !strings.Contains(got.stderr, err.Error()) {
			t.Errorf("%v is not in %s", err, got.stderr)
		}
	}
}

func TestTheProcessorGetsItsSettings(t *testing.T) {
	t.Parallel()
	p := &copier{}
	var stderr strings.Builder
	args := command("run", append(minimal()[:6], "--processor", "{topic: here}")...)
	code := cli.Run(t.Context(), cli.Program{Name: "own", Args: args, Stdout: &stderr, Stderr: &stderr},
		cli.ForProcessor(p),
		cli.WithEngine(func(*config.Config) cli.Engine {
			return cli.EngineFunc(func(context.Context) error { return nil })
		}))
	if code != 0 || p.config.Topic != "here" {
		t.Errorf("exit code %d, topic %q, %s", code, p.config.Topic, stderr.String())
	}
}
