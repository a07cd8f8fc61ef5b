package consumerset_test

import (
	"context"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

const millisecond = time.Millisecond

func (r *rig) rangeConfig() consumerset.Config {
	cfg := r.config()
	cfg.Assignor = "range"
	return cfg
}

func TestACommitThatIsNotYetKeepsItsPositions(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			for name, code := range map[string]int16{"illegal generation": 22, "rebalance in progress": 27, "loading": 14} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					r := setup(t, 2)
					r.feed = feed
					r.produce(2, 0, 100)
					r.commits.refuseWith(func(n int) int16 {
						if n <= 2 {
							return code
						}
						return 0
					})
					s := r.start(r.config())
					r.until("200 messages", func() bool { return r.journal.total == 200 })
					r.quiet(s, 200)
					if res := s.stop(); res.Outcome() != consumerset.Clean {
						t.Errorf("ended %v", res)
					}
					if at := r.committed(); at[0] != 100 || at[1] != 100 {
						t.Errorf("committed %v: %v", at, r.events.all())
					}
					// The client itself gives its assignment up on an illegal generation
					// in steady state.
					if lost := name == "illegal generation"; r.journal.again > 0 && !lost {
						t.Errorf("%d messages ran again", r.journal.again)
					}
				})
			}
		})
	}
}

// The group has expelled the member: whatever the client says, everything is lost
// and nothing of it may be committed.
func TestAnExpelledMemberDropsItsPositionsAndReadsAgain(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 2)
			r.feed = feed
			release := r.commits.holdAll()
			refused := make(chan struct{})
			r.commits.refuseWith(func(n int) int16 {
				if n == 1 {
					close(refused)
					return 25
				}
				return 0
			})
			r.produce(2, 0, 50)
			cfg := r.rangeConfig()
			cfg.SessionTimeout = 6 * time.Second // how long the group keeps the old membership
			s := r.start(cfg)
			r.until("100 messages", func() bool { return r.journal.total == 100 })
			release()
			<-refused
			for p := range int32(2) {
				one(r, "lost", func(e event.PartitionLost) bool { return e.Partition.Partition == p })
			}
			one(r, "commit failed", func(e event.CommitFailed) bool { return e.Code == 25 && !e.Kept })
			if n := r.commits.count(); n != 1 {
				t.Errorf("%d commits", n)
			}
			r.until("the lost messages again", func() bool { return r.journal.again == 100 })
			s.stop()
			if at := r.committed(); at[0] != 50 || at[1] != 50 {
				t.Errorf("committed %v", at)
			}
		})
	}
}

func TestAStopWithACommitPendingLeavesTheClientAlone(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			if !inChild(t) {
				return
			}
			r := setup(t, 1)
			r.feed = feed
			r.produce(1, 0, 10)
			s := r.start(r.config())
			r.quiet(s, 10)
			release := r.commits.holdAll()
			r.produce(1, 10, 10)
			r.until("20 messages", func() bool { return r.journal.total == 20 })
			ctx, cancel := context.WithTimeout(t.Context(), 500*millisecond)
			defer cancel()
			if err := s.Drain(ctx); err == nil {
				t.Error("drained though nothing is committed")
			}
			ctx, cancel = context.WithTimeout(t.Context(), 8*time.Second)
			defer cancel()
			began := time.Now()
			res := s.Close(ctx)
			if took := time.Since(began); took > 9*time.Second {
				t.Errorf("close took %v", took)
			}
			m := res.Members[0]
			if res.Outcome() != consumerset.Left || !m.CommitPending || len(m.Uncommitted) != 1 || m.Uncommitted[0] != (consumerset.PartitionResult{
				Partition: processor.Partition{Topic: "in"}, Position: 20, Committed: 10,
			}) {
				t.Errorf("ended %+v", m)
			}
			release()
			if err := <-s.err; err != nil {
				t.Errorf("run: %v", err)
			}
		})
	}
}

func TestIdlePartitionsAreNotCommittedAgain(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 2)
			r.feed = feed
			r.produce(2, 0, 10)
			cfg := r.config()
			cfg.CommitInterval = millisecond
			s := r.start(cfg)
			r.until("20 messages", func() bool { return r.journal.total == 20 })
			one(r, "steady", func(e event.MemberState) bool { return e.To == "steady" })
			r.quiet(s, 20)
			n := r.commits.count()
			r.produce(1, 10, 1)
			r.until("one more", func() bool { return r.journal.total == 21 })
			r.quiet(s, 21)
			if more := r.commits.count() - n; more != 1 {
				t.Errorf("%d commits for one message", more)
			}
			s.stop()
		})
	}
}

// quiet waits until the sum of the committed offsets is that, and then for some time
// in which a needless commit would show.
func (r *rig) quiet(s *started, sum int64) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(20 * millisecond)
	defer tick.Stop()
	for rounds := 0; rounds < 10; rounds++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			r.t.Fatalf("never committed: %+v", s.Status())
		}
		got := int64(0)
		for _, m := range s.Status() {
			for _, p := range m.Partitions {
				got += p.Committed
			}
		}
		if got != sum {
			rounds = 0
		}
	}
}
