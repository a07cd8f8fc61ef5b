package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/embedded"
	"github.com/pitlane-go/pitlane/processor"
	"github.com/pitlane-go/pitlane/runner"
)

// alertPartitions is how many partitions the alerts topic has.
const alertPartitions = 3

// Run runs the demo until its time is over or ctx ends, and shows it on out; the
// last line is the checker's report. The report is nil when the demo could not run.
func Run(ctx context.Context, cfg Config, out io.Writer) (*kafkatest.Report, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, &SettingsError{err}
	}
	// The end of ctx is the start of an orderly end, for which the broker is needed.
	broker, err := embedded.Run(context.WithoutCancel(ctx), embedded.Config{
		Topics: map[string]int{inputTopic: cfg.Partitions, alertTopic: alertPartitions},
	})
	if err != nil {
		return nil, err
	}
	defer broker.Close()
	s, err := newShow(cfg, broker.Bootstrap(), out)
	if err != nil {
		return nil, err
	}
	complete, runErr := s.perform(ctx)
	report, err := s.judge(context.WithoutCancel(ctx), broker, complete)
	if err != nil {
		return nil, errors.Join(runErr, err)
	}
	return report, errors.Join(runErr, s.summary(report, complete), verdict(report))
}

// runnerConfig is what a user would have in a file, with short back-offs, so that
// there is something to see.
func runnerConfig(broker string, events event.Sink) runner.Config {
	return runner.Config{
		Brokers:        []string{broker},
		ClientID:       member,
		Group:          group,
		Topics:         []runner.Topic{{Name: inputTopic}},
		Pause:          runner.Pause{Initial: 100 * time.Millisecond, Max: 4 * time.Second},
		CommitInterval: 500 * time.Millisecond,
		Events:         events,
	}
}

// failures notes what a witness cannot see: a failed delivery lets units run again.
func failures(h *kafkatest.History) event.Sink {
	return func(_ time.Time, e event.Event) {
		if r, ok := e.(event.DeliveryRewound); ok {
			h.Failed(kafkatest.Failure{
				Member: member, Reason: fmt.Sprint(r.Cause),
				Input: kafkatest.Position{Topic: r.Partition.Topic, Partition: r.Partition.Partition, Offset: r.Offset},
			})
		}
	}
}

// standings is what the runner says about its partitions.
func standings(s runner.Status) []standing {
	out := make([]standing, len(s.Partitions))
	for i, p := range s.Partitions {
		part := processor.Partition{Topic: p.Topic, Partition: p.Partition}
		out[i] = standing{part, max(p.Position, 0), p.Holds}
	}
	return out
}
