package cli

import (
	"context"
	"errors"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/pitlane-go/pitlane/config"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/runner"
)

func (a *app) runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the processor until a signal",
		Long: `Run the processor until a signal.

The first SIGTERM, SIGINT or SIGHUP stops in order: nothing new starts, what
runs is waited for, delivered and committed. The second ends the contexts of
running attempts, the third leaves at once.

Exit codes: 0 clean; 1 could not start, or stopped by the processor or by
pause.on_exhausted: stop; 2 usage or configuration; 3 stopped with work
unfinished or uncommitted; 4 gave up.`,
		Example: "  " + a.program.Name + " run --config pitlane.yaml\n" +
			"  " + a.program.Name + " run --brokers localhost:9092 --group copies --topics uploads --processor '{forward: {topic: copies}}'",
		Args: cobra.NoArgs,
	}
	set := flags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := set.load(a.program.Environ)
		if err != nil {
			return err
		}
		return a.run(cmd.Context(), c)
	}
	return cmd
}

// run runs the processor and logs how it ended.
func (a *app) run(ctx context.Context, c *config.Config) error {
	if a.single == nil && a.batch == nil && len(a.stock) == 0 {
		return errNoProcessor
	}
	if err := a.configure(c); err != nil {
		return err
	}
	logger := newLogger(c.Log, a.program.Stderr)
	c.Runner.Events = tee(append([]event.Sink{events(logger)}, a.sinks...))
	c.Runner.Logger = slogger(logger)
	logger = stamped(logger)

	e := a.engine(c)
	a.stop.replace(e.Stop, e.Cancel)
	logger.Info().
		Str("group", c.Runner.Group).Strs("topics", c.Runner.TopicNames()).Strs("brokers", c.Runner.Brokers).
		Str("version", pitlaneVersion()).Str("librdkafka", libraryVersion()).
		Msg("program started")
	return ended(logger, e.Run(ctx))
}

// tee is one sink for all of them, in their order.
func tee(sinks []event.Sink) event.Sink {
	return func(at time.Time, e event.Event) {
		for _, sink := range sinks {
			sink(at, e)
		}
	}
}

// ended logs how the run ended. A mistake in the configuration that only the
// runner finds is printed as the others are.
func ended(logger zerolog.Logger, err error) error {
	code := exitCode(err)
	var mistake *runner.ConfigError
	switch {
	case errors.As(err, &mistake):
		return err
	case err == nil:
		logger.Info().Int("exit_code", code).Msg("runner ended")
		return nil
	}
	logger.Error().Func(cause(err)).Int("exit_code", code).Msg("runner ended")
	return &reportedError{code, err}
}
