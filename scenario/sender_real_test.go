package scenario_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// The brokers stand still and the producer's queue is full: the processors have
// to wait in their sends, and nothing piles up behind them. Afterwards nothing is
// lost and nothing is there twice.
func TestAFullQueueMakesProcessorsWait(t *testing.T) {
	r := suite.New(t, rig.Config{})
	const queue = 60
	r.Fill(scale.N(t, 8_000, 30_000))
	p := r.Worker("waits", rig.Settings{"producer": map[string]any{"queue.buffering.max.messages": queue}})
	p.AwaitRuns(100, time.Minute)
	if err := r.Cluster.FreezeAll(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Cluster.ThawAll(); err != nil {
			t.Error(err)
		}
	})
	frozen := p.Runs()
	looks := 0
	r.Until("all processors wait in a send", 20*time.Second, func(context.Context) bool {
		w := p.Work()
		for partition := range int32(6) {
			if w.Open[partition] != 1 {
				looks = 0
				return false
			}
		}
		looks++
		return looks >= 5
	})
	if got := p.Runs() - frozen; got > queue+50 {
		t.Errorf("%d runs began after the brokers stood still, the queue has %d places", got, queue)
	}
	if err := r.Cluster.ThawAll(); err != nil {
		t.Fatal(err)
	}
	r.AwaitCommitted(2 * time.Minute)
	stopClean(t, p)
	r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
}

// A send belongs to its attempt. One that comes after the end is refused, so that
// it cannot be written by nobody's account, and the processor is told why.
func TestASendAfterTheAttemptIsRefused(t *testing.T) {
	t.Parallel()
	r := suite.New(t, rig.Config{})
	r.Fill(600)
	p := r.Worker("late", rig.Settings{"processor.late": 61})
	l := p.Await("the late send", time.Minute, func(l rig.Line) bool { return strings.HasPrefix(l.Text, "late send:") })
	contains(t, l.Text, "ended true")
	r.AwaitCommitted(time.Minute)
	stopClean(t, p)
	if n := len(troubles(p)); n != 0 {
		t.Errorf("%d lines of trouble, want none", n)
	}
	r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
}

// F22: the processor of one partition leaves goroutines behind, at each message,
// that send, look at nothing and never end. Where reports go to channels of the
// users, one that is not read stops all others, and the flush at the end hangs.
func TestGoroutinesThatAProcessorAbandonsStopNobody(t *testing.T) {
	t.Parallel()
	r := suite.New(t, rig.Config{})
	r.Topic(r.Output + "-astray")
	r.Fill(3_000)
	p := r.Worker("abandons", rig.Settings{
		"processor.abandon.partition": 1, "processor.abandon.goroutines": 3, "processor.astray_topic": r.Output + "-astray",
		"delivery.late_after": "2s",
	})
	r.AwaitCommitted(time.Minute)
	stopClean(t, p)
	if n := len(troubles(p)); n != 0 {
		t.Errorf("%d lines of trouble, want none: %s", n, troubles(p)[0].Text)
	}
	r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
}
