package scenario_test

import (
	"context"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// B22: a batch that fails at one of its messages is done up to there, and not any
// further: what comes after it in the same batch is run again by whoever is next.
func TestTheTailOfABatchThatFailedIsNotCommitted(t *testing.T) {
	for name, c := range map[string]struct {
		whole bool
		tail  int64
	}{
		"it failed at a message": {false, 10}, "it failed as a whole": {true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			r.FillOne(60, 1) // ids 1 to 60, all of them in one batch
			p := r.BatchWorker("fails", rig.Settings{
				"processor.poison": 11, "processor.whole": c.whole, "batch.max_wait": "2s", "batch.max_messages": 60,
				"pause.initial": "1h", "pause.max": "1h", "pause.jitter": 0,
				"commit.interval": "100ms", "rebalance.session_timeout": sessionTimeout,
			})
			p.Await("the hold", time.Minute, func(l rig.Line) bool { return held(l, 1, "retry") })
			if runs := p.Runs(); runs != 11 {
				t.Fatalf("%d messages ran, want 11: it was not one batch", runs)
			}
			// A commit of another partition shows that there was time for one.
			r.FillOne(60, 2)
			r.AwaitCommittedAt(2, 60, time.Minute)
			r.AwaitCommittedAt(1, c.tail, time.Minute)
			if got := max(r.Committed(1), 0); got != c.tail {
				t.Errorf("committed %d, want %d", got, c.tail)
			}
			p.Kill()
			comesBackAt(t, r, 1, c.tail)
		})
	}
}

// B27: a partition moves while its processor works on a message for longer than the
// drain. The context ends, and a processor that returns then has not done the
// work, also when it says nothing: a runner that takes that for a success commits
// a message which nobody has processed.
func TestAnAttemptThatAFenceCutShortIsNotSettled(t *testing.T) {
	for name, swallow := range map[string]bool{"it returns an error": false, "it returns nil": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			unblock := r.Path("unblock")
			settings := func() rig.Settings {
				return rig.Settings{
					// Range takes everything from everybody at each change.
					"rebalance.assignor": "range", "rebalance.drain": "500ms", "commit.interval": "100ms",
					"processor.swallow": swallow, "processor.unblock": unblock,
				}
			}
			p := blocked(r, settings())
			second := settings()
			second["processor.block"] = 61
			next := r.Worker("joins", second)
			gone := p.Await("the partition revoked", time.Minute, func(l rig.Line) bool {
				return l.Message == "partition revoked" && l.Int("partition") == 1
			})
			if drained, _ := gone.Fields["drained"].(bool); drained || gone.Int("position") != 10 {
				t.Errorf("want it not drained, at position 10: %s", gone.Text)
			}
			r.Until("the message runs again", time.Minute, func(context.Context) bool {
				return len(p.RunsOf(61))+len(next.RunsOf(61)) == 2
			})
			if got := r.Committed(1); got != 10 {
				t.Errorf("committed %d, want 10", got)
			}
			create(t, unblock)
			r.AwaitCommitted(time.Minute)
			stopClean(t, p, next)
			r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
		})
	}
}
