package scenario_test

import (
	"context"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// B19: every queue of a member is full when half of its partitions are taken
// away. A client that keeps on handing out what it has fetched goes on with them:
// two members work on one message, and the old one's commits throw the new one
// back. Here nothing of them is started after the revoke, and nothing is there
// twice: what ran was let end.
func TestARebalanceWithFullQueuesLetsGoOfThem(t *testing.T) {
	t.Parallel()
	for _, g := range groups() {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			settings := g.with(rig.Settings{"processor.work": "50ms", "buffer.max_bytes": "1MiB"})
			r.Fill(scale.N(t, 30_000, 120_000))
			first := r.Worker("first", settings)
			first.AwaitRuns(120, time.Minute)
			second := r.Worker("second", settings)
			second.AwaitRuns(120, time.Minute)
			stopAll(t, second)
			r.Until("the first member works on everything again", 30*time.Second, func(context.Context) bool {
				return working(first) == 6
			})
			if r.Lag(0) == 0 {
				t.Error("nothing is left to do: the queues were not full")
			}
			stopAll(t, first)
			r.Check(kafkatest.Options{Incomplete: true, Duplicates: kafkatest.DuplicatesNone})
			movedBothWays(t, r.CheckTenures())
		})
	}
}

// working counts the partitions that a process has and has run something of.
func working(p *rig.Process) int {
	n := 0
	for _, t := range p.Tenures() {
		if t.Over.IsZero() && t.Runs > 0 {
			n++
		}
	}
	return n
}

// movedBothWays fails the test when no partition went to the second member.
func movedBothWays(t *testing.T, all []rig.Tenure) {
	t.Helper()
	got := map[string]int{}
	for _, x := range all {
		got[x.Process]++
	}
	if got["second"] == 0 || got["first"] <= 6 {
		t.Errorf("assignments %v: no partition went and came back", got)
	}
}
