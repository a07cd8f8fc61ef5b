package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pitlane-go/pitlane/config"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
	"github.com/pitlane-go/pitlane/runner"
)

// app is one run of the command line.
type app struct {
	program  Program
	stop     *stopper
	single   processor.Processor
	batch    processor.BatchProcessor
	stock    []stock
	commands []*cobra.Command
	options  []runner.Option
	sinks    []event.Sink

	// build makes the engine; nil means a runner. inspect connects for check;
	// nil means the admin room. Tests replace them.
	build   func(*config.Config) engine
	inspect func(*config.Config) (inspector, error)
}

// execute runs the command that the arguments name.
func (a *app) execute(ctx context.Context) int {
	root := a.root() //nolint:contextcheck // ExecuteContext hands the context to the commands
	root.SetArgs(a.program.Args)
	err := root.ExecuteContext(ctx)
	a.report(err)
	return exitCode(err)
}

// configure decodes the processor block into what takes it, choosing a stock
// processor first where the program has none of its own.
func (a *app) configure(c *config.Config) error {
	block := c.Processor
	if a.single == nil && a.batch == nil && len(a.stock) > 0 {
		name, below, err := block.Choice(a.names())
		if err != nil {
			return err
		}
		i := slices.IndexFunc(a.stock, func(s stock) bool { return s.name == name })
		a.single, block = a.stock[i].factory(), below
	}
	var p any = a.single
	if a.batch != nil {
		p = a.batch
	}
	targets := processor.Hooks(p).Configs()
	if len(targets) == 0 {
		return block.Refuse("this processor takes no settings")
	}
	for _, into := range targets {
		if err := block.Decode(into); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) names() []string {
	var names []string
	for _, s := range a.stock {
		names = append(names, s.name)
	}
	slices.Sort(names)
	return names
}

// engine makes what runs.
func (a *app) engine(c *config.Config) engine {
	switch {
	case a.build != nil:
		return a.build(c)
	case a.batch != nil:
		return runner.NewBatch(c.Runner, a.batch, a.options...)
	}
	return runner.New(c.Runner, a.single, a.options...)
}
