package scenario_test

import (
	"context"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// Three members in one process share the partitions as three processes would, and
// a partition that moves between two of them is never run by both: the process
// knows of each lane until it has returned.
func TestSeveralMembersInOneProcessShareThePartitions(t *testing.T) {
	t.Parallel()
	for _, g := range someGroups(t) {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			settings := g.with(rig.Settings{"processor.work": "5ms", "members": 3})
			r.Fill(scale.N(t, 6_000, 60_000))
			many := r.Worker("many", settings)
			r.Until("each member has partitions", time.Minute, func(context.Context) bool { return len(membersOf(many)) == 3 })
			many.AwaitRuns(100, time.Minute)
			other := r.Worker("other", g.with(rig.Settings{"processor.work": "5ms"}))
			runsUnderLoad(r, other, 100)
			stopAll(t, other)
			r.AwaitCommitted(scale.D(t, time.Minute, 5*time.Minute))
			stopAll(t, many)
			r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
			r.CheckTenures()
			t.Logf("members: %v", membersOf(many))
		})
	}
}

// membersOf counts the assignments of each member of a process.
func membersOf(p *rig.Process) map[string]int {
	got := map[string]int{}
	for _, l := range p.Log() {
		if l.Message == "partition assigned" {
			got[l.String("member")]++
		}
	}
	return got
}

// One member serves several topics, named or by a pattern: partitions of the same
// number are not mixed up, and a topic of which there is nothing to read does not
// stand in the way of the other one.
func TestOneMemberServesSeveralTopics(t *testing.T) {
	t.Parallel()
	for name, topics := range map[string]func(*rig.Rig, string) []string{
		"named":   func(r *rig.Rig, more string) []string { return []string{r.Input, more, more + "-idle"} },
		"pattern": func(r *rig.Rig, _ string) []string { return []string{"^" + r.Group + `\.in.*`} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			more := r.Input + "-more"
			r.Topic(more)
			r.Topic(more + "-idle")
			settings := rig.Settings{
				"topics": topics(r, more), "processor.work": "2ms", "rebalance.session_timeout": sessionTimeout,
			}
			for range 4 {
				r.Fill(500)
				r.FillTopic(more, 500) // ids of both are mixed
			}
			first := r.Worker("first", settings)
			r.AwaitAssigned(first, 18) // the topic without messages too
			first.AwaitRuns(100, time.Minute)
			second := r.Worker("second", settings)
			r.FillTopic(more, 600)
			runsUnderLoad(r, second, 1)
			r.AwaitCommitted(time.Minute)
			stopAll(t, second, first)
			r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
			r.CheckTenures()
		})
	}
}
