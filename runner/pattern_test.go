package runner_test

import (
	"context"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/kafkatest/embedded"
	"github.com/pitlane-go/pitlane/processor"
	"github.com/pitlane-go/pitlane/runner"
)

// An operator who mistyped a pattern must not be told that all is well while
// nothing is read.
func TestAPatternThatMatchesNothingIsUnhealthyUntilItDoes(t *testing.T) {
	const looks = 12 * time.Second // more than two looks for topics that were unknown
	w := setup(t, 0)
	w.cfg.Topics = []runner.Topic{{Name: "^late-.*"}}
	w.cfg.Consumer = map[string]string{"topic.metadata.refresh.interval.ms": "500"}
	got := make(chan struct{}, 1)
	w.start(t.Context(), processor.Func(func(context.Context, *processor.Message) error {
		got <- struct{}{}
		return nil
	}))
	wait(t, w.events, func(e event.Unhealthy) bool { return e.Reason == "unknown topic" })
	select {
	case <-time.After(looks):
	case err := <-w.ended:
		t.Fatal(err)
	}
	for _, e := range w.events.list() {
		if h, ok := e.(event.Healthy); ok && h.Reason == "unknown topic" {
			t.Fatal("healthy though nothing matches")
		}
	}
	if err := w.broker.CreateTopic("late-1", 1, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.broker.Produce(t.Context(), "late-1", &embedded.Record{Value: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	<-got
	wait(t, w.events, func(e event.Healthy) bool { return e.Reason == "unknown topic" })
	w.run.Stop()
	if err := w.end(t); err != nil {
		t.Error(err)
	}
}
