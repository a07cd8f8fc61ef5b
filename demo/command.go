package demo

import (
	"time"

	"github.com/spf13/cobra"
)

// Command returns the demo command. Its context must end at the first signal.
func Command() *cobra.Command {
	var cfg Config
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show Pitlane at work: embedded broker, real data, injected failures, a verdict",
		Long: `Show Pitlane at work, with nothing to install.

Starts a Kafka broker inside this process, streams a week of earthquakes through
it in a loop, and runs the processor of examples/earthquakes on them. Failures
are injected: some runs fail at random, and for a while the head of one partition
fails always. The picture shows per partition how far it is, how much waits, how
fast it goes, and what holds it for how long. Earthquakes are keyed by the
network that reported them, and these are few: a partition may stay idle.

At the end the history of the run is checked. The last line has the result; the
exit code is 0 only if nothing was lost and nothing was out of order. A signal
ends the stream early; a second one leaves at once.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			given := cfg
			if err := given.zeros(); err != nil {
				return &SettingsError{err}
			}
			_, err := Run(cmd.Context(), given, cmd.OutOrStdout())
			return err
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&cfg.For, "for", 30*time.Second, "how long earthquakes are streamed")
	flags.IntVar(&cfg.Rate, "rate", 300, "earthquakes per second")
	flags.IntVar(&cfg.Partitions, "partitions", 6, "partitions of the input topic")
	flags.Float64Var(&cfg.FailureShare, "failures", 0.02, "share of runs that fail, 0 to 0.5")
	return cmd
}
