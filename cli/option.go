package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
	"github.com/pitlane-go/pitlane/runner"
)

// Option changes a command line at construction.
type Option func(*app)

// WithCommand adds commands to the tree. Their context ends at the first signal.
func WithCommand(commands ...*cobra.Command) Option {
	return func(a *app) { a.commands = append(a.commands, commands...) }
}

// WithMiddleware wraps the processor, the first one outermost.
func WithMiddleware(m ...processor.Middleware) Option {
	return func(a *app) { a.options = append(a.options, runner.WithMiddleware(m...)) }
}

// WithBatchMiddleware wraps the batch processor, the first one outermost.
func WithBatchMiddleware(m ...processor.BatchMiddleware) Option {
	return func(a *app) { a.options = append(a.options, runner.WithBatchMiddleware(m...)) }
}

// WithEvents gives the state changes of a run to sink too, beside the log, each of
// them and not only at a limited rate.
func WithEvents(sink event.Sink) Option {
	return func(a *app) { a.sinks = append(a.sinks, sink) }
}

// WithProcessor offers a processor under a name. A program without one of its
// own runs the one that the processor block names, and decodes what stands below
// the name into it.
func WithProcessor(name string, factory func() processor.Processor) Option {
	return func(a *app) {
		a.stock = append(a.stock, stock{name, factory})
	}
}

// stock is a processor that the configuration may choose.
type stock struct {
	name    string
	factory func() processor.Processor
}

// ForProcessor gives Run the program's processor, as Main does.
func ForProcessor(p processor.Processor) Option {
	return func(a *app) { a.single = p }
}

// ForBatchProcessor gives Run the program's batch processor, as MainBatch does.
func ForBatchProcessor(p processor.BatchProcessor) Option {
	return func(a *app) { a.batch = p }
}

// engine is what the run command needs of a runner.
type engine interface {
	Run(ctx context.Context) error
	Stop()
	Cancel()
}
