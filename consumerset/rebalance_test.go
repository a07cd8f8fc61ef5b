package consumerset_test

import (
	"testing"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// fixed makes a member's name differ from the others'.
func named(cfg consumerset.Config, name string) consumerset.Config {
	cfg.ClientID = name
	return cfg
}

func TestAJoiningAndALeavingMemberLoseNothingAndRepeatNothing(t *testing.T) {
	t.Parallel()
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const partitions = 6
			r := setup(t, partitions)
			cfg := r.config()
			change(&cfg)
			a := r.start(named(cfg, "a"))
			r.produce(partitions, 0, 200)
			r.until("first messages", func() bool { return r.journal.total > 200 })
			b := r.start(named(cfg, "b"))
			one(r, "assignment of b", func(e event.PartitionAssigned) bool { return e.Member == "b" })
			r.produce(partitions, 200, 200)
			r.until("both rounds", func() bool { return r.journal.total == partitions*400 })
			if res := a.stop(); res.Outcome() != consumerset.Clean {
				t.Errorf("a ended %v", res)
			}
			r.produce(partitions, 400, 100)
			r.until("third round", func() bool { return r.journal.total == partitions*500 })
			if res := b.stop(); res.Outcome() != consumerset.Clean {
				t.Errorf("b ended %v", res)
			}
			if r.journal.again > 0 {
				t.Errorf("%d messages ran again in orderly rebalances", r.journal.again)
			}
			for p, at := range r.committed() {
				if at != 500 {
					t.Errorf("partition %d committed at %d", p, at)
				}
			}
			for _, w := range r.commits.backwards() {
				t.Errorf("commit went back: %s", w)
			}
			r.check()
		})
	}
}

func TestMembersOfOneSetShareThePartitions(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 4)
			r.feed = feed
			cfg := r.config()
			cfg.Members = 2
			s := r.start(cfg)
			// The first member may get all at first; in the end each has two.
			for _, m := range []string{"c-0", "c-1"} {
				one(r, "assignment of "+m, func(e event.PartitionAssigned) bool { return e.Member == m })
			}
			r.produce(4, 0, 100)
			r.until("400 messages", func() bool { return r.journal.total == 400 })
			if n := len(s.Status()); n != 2 {
				t.Errorf("%d members", n)
			}
			if res := s.stop(); res.Outcome() != consumerset.Clean || len(res.Members) != 2 {
				t.Errorf("ended %v", res)
			}
			r.check()
		})
	}
}

// A processor that does not return within the drain is fenced; nothing of it is
// committed, and its partition's next lane in this process waits for it.
func TestALaneThatDoesNotDrainIsFencedAndHoldsUpItsSuccessorOnly(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 2)
			r.feed = feed
			release := make(chan struct{})
			stuck := processor.Partition{Topic: "in", Partition: 0}
			r.journal.hold = func(m *processor.Message) {
				if m.TopicPartition() == stuck && m.Offset == 5 {
					<-release
				}
			}
			cfg := r.config()
			cfg.Members = 2
			cfg.Assignor = "range" // every rebalance takes everything back
			cfg.Drain = 300 * millisecond
			s := r.start(cfg)
			one(r, "assignment", func(e event.PartitionAssigned) bool { return e.Partition == stuck && e.Member == "c-0" })
			r.produce(2, 0, 10)
			r.until("all but the stuck one's", func() bool { return r.journal.total == 15 })

			other := r.start(named(r.rangeConfig(), "other"))
			ev := one(r, "revoked without drain", func(e event.PartitionRevoked) bool { return e.Partition == stuck && !e.Drained })
			if ev.Position != 5 {
				t.Errorf("committed %d, not 5", ev.Position)
			}
			r.produce(2, 10, 5)
			other.stop()
			close(release)
			r.until("everything", func() bool { return r.journal.total == 30 })
			s.stop()
			r.check()
			if at := r.committed(); at[0] != 15 || at[1] != 15 {
				t.Errorf("committed %v", at)
			}
		})
	}
}
