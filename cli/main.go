package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/pitlane-go/pitlane/processor"
	"github.com/pitlane-go/pitlane/runner"
)

// Main runs the command line of a program around one processor, and ends the
// process with its exit code. p may be nil when WithProcessor offers some.
func Main(name string, p processor.Processor, opts ...Option) {
	os.Exit(Run(context.Background(), ofProcess(name, os.Args[1:]), append(opts, ForProcessor(p))...))
}

// MainBatch is Main for a batch processor.
func MainBatch(name string, p processor.BatchProcessor, opts ...Option) {
	os.Exit(Run(context.Background(), ofProcess(name, os.Args[1:]), append(opts, ForBatchProcessor(p))...))
}

// Program is what a command line runs in. Main fills it from the process.
type Program struct {
	// Name is the program's name in help and messages.
	Name string
	// Args are the arguments without the program's name.
	Args []string
	// Environ is the environment in the form of os.Environ.
	Environ []string
	// Stdout takes what a command prints, Stderr the log and messages.
	Stdout, Stderr io.Writer
	// Signals delivers SIGINT, SIGTERM and SIGHUP; nil means none.
	Signals <-chan os.Signal
}

func ofProcess(name string, args []string) Program {
	// One slot per step of a stop: a signal that finds no slot is dropped.
	signals := make(chan os.Signal, 3)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	return Program{
		Name: name, Args: args, Environ: os.Environ(),
		Stdout: os.Stdout, Stderr: os.Stderr, Signals: signals,
	}
}

// Run runs one command and returns its exit code. The end of ctx is the first
// signal.
func Run(ctx context.Context, p Program, opts ...Option) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := &app{program: p, stop: newStopper(cancel)}
	for _, o := range opts {
		o(a)
	}
	doneCh := make(chan struct{})
	defer close(doneCh)
	go a.stop.watch(doneCh, p.Signals)

	// Its result is dropped when a signal leaves before it: capacity 1.
	ended := make(chan int, 1)
	go func() { ended <- a.execute(ctx) }()
	select {
	case code := <-ended:
		return code
	case <-a.stop.leaveCh:
		// A last line, straight to the stream: the logger belongs to the command.
		_, _ = io.WriteString(p.Stderr, p.Name+": left at once, as the last signal asked; work may be unfinished\n")
		return runner.ExitUnfinished
	}
}
