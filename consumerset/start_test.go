package consumerset_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// commit writes offsets of the group as an operator would.
func (r *rig) commit(at map[int32]int64) {
	r.t.Helper()
	offs := kadm.Offsets{}
	for p, o := range at {
		offs.Add(kadm.Offset{Topic: r.topic, Partition: p, At: o, LeaderEpoch: -1})
	}
	if err := r.adm.CommitAllOffsets(r.t.Context(), "g", offs); err != nil {
		r.t.Fatal(err)
	}
}

func TestStartOffsetOfIdlePartitionsIsCommittedAtOnce(t *testing.T) {
	t.Parallel()
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := setup(t, 3)
			cfg := r.config()
			change(&cfg)
			s := r.start(cfg)
			for p := range int32(3) {
				e := one(r, "assigned", func(e event.PartitionAssigned) bool { return e.Partition.Partition == p })
				if e.From != "earliest" || e.Offset != 0 {
					t.Errorf("partition %d starts at %d from %s", p, e.Offset, e.From)
				}
			}
			s.stop()
			at := r.committed()
			for p := range int32(3) {
				if got, ok := at[p]; !ok || got != 0 {
					t.Errorf("partition %d: committed %d, %v", p, got, ok)
				}
			}
		})
	}
}

func TestCommittedOffsetIsWhereALaneStarts(t *testing.T) {
	t.Parallel()
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := setup(t, 2)
			r.produce(2, 0, 100)
			r.commit(map[int32]int64{0: 40, 1: 100})
			cfg := r.config()
			cfg.Start = consumerset.StartLatest
			change(&cfg)
			s := r.start(cfg)
			r.until("60 messages", func() bool { return r.journal.total == 60 })
			if r.journal.seen[processor.Partition{Topic: "in", Partition: 0}][39] > 0 {
				t.Error("offset 39 was committed, and ran again")
			}
			s.stop()
			r.check()
		})
	}
}

func TestLatestHoldsOnlyForATopicWithoutAnyCommit(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			for name, tc := range map[string]struct {
				commits map[int32]int64
				from    string
				offset  int64
			}{
				"no commit at all":       {nil, "latest", 100},
				"another partition's is": {map[int32]int64{0: 100}, "earliest", 0},
			} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					r := setup(t, 2)
					r.feed = feed
					r.produce(2, 0, 100)
					if tc.commits != nil {
						r.commit(tc.commits)
					}
					cfg := r.config()
					cfg.Start = consumerset.StartLatest
					s := r.start(cfg)
					e := one(r, "assigned", func(e event.PartitionAssigned) bool { return e.Partition.Partition == 1 })
					if e.From != tc.from || e.Offset != tc.offset {
						t.Errorf("starts at %d from %s", e.Offset, e.From)
					}
					s.stop()
				})
			}
		})
	}
}

func TestStartNoneSaysSoAndCommitsNothing(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 2)
			r.feed = feed
			r.produce(2, 0, 10)
			r.commit(map[int32]int64{0: 0})
			cfg := r.config()
			cfg.Start = consumerset.StartNone
			unhealthy := make(chan string, 1)
			cfg.Unhealthy = func(reason string, _ error) {
				select {
				case unhealthy <- reason:
				default:
				}
			}
			s := r.start(cfg)
			p1 := processor.Partition{Topic: "in", Partition: 1}
			r.until("death of partition 1", func() bool { return r.journal.deaths[p1] != nil && r.journal.total == 10 })
			if err := r.journal.deaths[p1]; !errors.Is(err, consumerset.ErrNoStart) {
				t.Errorf("feed says %v", err)
			}
			if got := <-unhealthy; got != consumerset.ReasonNoStart {
				t.Errorf("unhealthy: %s", got)
			}
			if res := s.stop(); res.Outcome() != consumerset.Clean {
				t.Errorf("ended %v", res)
			}
			if at, ok := r.committed()[1]; ok && at >= 0 {
				t.Errorf("partition 1 was committed at %d", at)
			}
		})
	}
}

// A refused request for committed offsets would stall every partition for ever if
// the client made it.
func TestPartitionsStartThoughTheFirstLookupsFail(t *testing.T) {
	t.Parallel()
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := setup(t, 3)
			r.produce(3, 0, 50)
			var lookups atomic.Int32
			r.fake.ControlKey(int16(kmsg.OffsetFetch), func(q kmsg.Request) (kmsg.Response, error, bool) {
				r.fake.KeepControl()
				if lookups.Add(1) > 3 {
					return nil, nil, false
				}
				req := q.(*kmsg.OffsetFetchRequest)
				resp := req.ResponseKind().(*kmsg.OffsetFetchResponse)
				const notCoordinator = 16
				resp.ErrorCode = notCoordinator
				for _, g := range req.Groups {
					rg := kmsg.NewOffsetFetchResponseGroup()
					rg.Group, rg.ErrorCode = g.Group, notCoordinator
					resp.Groups = append(resp.Groups, rg)
				}
				return resp, nil, true
			})
			cfg := r.config()
			change(&cfg)
			s := r.start(cfg)
			r.until("150 messages", func() bool { return r.journal.total == 150 })
			if res := s.stop(); res.Outcome() != consumerset.Clean {
				t.Errorf("ended %v", res)
			}
			if n := lookups.Load(); n < 4 {
				t.Errorf("only %d lookups", n)
			}
			r.check()
		})
	}
}

func TestOffsetOutOfRangeKillsTheFeedAndNothingElse(t *testing.T) {
	t.Parallel()
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := setup(t, 2)
			r.produce(2, 0, 20)
			r.commit(map[int32]int64{0: 5000})
			cfg := r.config()
			change(&cfg)
			s := r.start(cfg)
			p0 := processor.Partition{Topic: "in", Partition: 0}
			r.until("death of partition 0", func() bool { return r.journal.deaths[p0] != nil && r.journal.total == 20 })
			var pe *consumerset.PartitionError
			if err := r.journal.deaths[p0]; !errors.As(err, &pe) || pe.Code != -140 || pe.Offset != 5000 {
				t.Errorf("feed says %v", err)
			}
			if res := s.stop(); res.Outcome() != consumerset.Clean {
				t.Errorf("ended %v", res)
			}
			if at := r.committed(); at[0] != 5000 || at[1] != 20 {
				t.Errorf("committed %v", at)
			}
		})
	}
}
