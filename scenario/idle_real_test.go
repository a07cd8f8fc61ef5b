package scenario_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// A member with nothing to do costs next to nothing: no loop of its own turns,
// whatever the feed is. What is left is the client's own fetch requests.
func TestAnIdleMemberCostsNothing(t *testing.T) {
	for _, feed := range []string{"queue", "poll"} {
		t.Run(feed, func(t *testing.T) {
			r := suite.New(t, rig.Config{})
			p := r.Stock("idle", rig.Settings{"feed": feed, "processor.log": map[string]any{}})
			r.AwaitAssigned(p, 6)
			length := scale.D(t, 5*time.Second, 30*time.Second)
			began, before := time.Now(), p.Usage(false)
			stay(time.After(length), p.Done(), func() {})
			after, took := p.Usage(false), time.Since(began)
			share := float64(after.CPU-before.CPU) / float64(took)
			t.Logf("%.2f %% of a core, %v", 100*share, after)
			if share > idleShare {
				t.Errorf("an idle member takes %.1f %% of a core", 100*share)
			}
			stopAll(t, p)
		})
	}
}

// idleShare is the share of a core that an idle member may take.
const idleShare = 0.03

// A member that has been through many rebalances is as large as it was after the
// first ones: an assignment leaves no goroutine, no thread and no descriptor.
func TestRebalancesLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	rounds := scale.N(t, 3, 15)
	for _, g := range someGroups(t) {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			p := r.Worker("stays", g.settings)
			guest := func(name string) {
				q := r.Worker(name, g.settings)
				r.AwaitAssigned(q, 3)
				r.Fill(60)
				stopAll(t, q)
				r.AwaitAssigned(p, 6)
				r.AwaitCommitted(time.Minute)
			}
			r.AwaitAssigned(p, 6)
			guest("first-guest")
			before := settled(r, p, rig.Usage{})
			for i := range rounds {
				guest(fmt.Sprintf("guest-%d", i))
			}
			after := settled(r, p, before)
			t.Logf("%d rebalances: from %v to %v", 2*rounds, before, after)
			if after.Goroutines > before.Goroutines+2 || after.Threads > before.Threads+2 || after.Files > before.Files {
				t.Errorf("after %d rebalances: %v, before: %v", 2*rounds, after, before)
			}
			stopAll(t, p)
			r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
		})
	}
}

// settled reads the usage of a process when it takes no more than least, or when
// it has had the time for it.
func settled(r *rig.Rig, p *rig.Process, least rig.Usage) rig.Usage {
	var u rig.Usage
	end := time.Now().Add(10 * time.Second)
	r.Until("the usage of "+p.Name, time.Minute, func(context.Context) bool {
		u = p.Usage(true)
		return u.Goroutines <= least.Goroutines && u.Threads <= least.Threads || time.Now().After(end)
	})
	return u
}
