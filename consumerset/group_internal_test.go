package consumerset

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/processor"
)

// fakeGroup is a group's side of a fake client: it judges commits by the generation
// and the membership in which they were sent. The client's mutex guards it.
type fakeGroup struct {
	committed              map[processor.Partition]int64
	generation, membership int
	sentIn                 [2]int // of the commit in flight
	wrong                  []string
}

func (g *fakeGroup) sent() { g.sentIn = [2]int{g.generation, g.membership} }

func (g *fakeGroup) answer(offsets map[processor.Partition]int64) error {
	switch {
	case g.sentIn[1] != g.membership:
		return kafka.NewError(kafka.ErrUnknownMemberID, "who?", false)
	case g.sentIn[0] != g.generation:
		return kafka.NewError(kafka.ErrIllegalGeneration, "an old one", false)
	}
	for p, o := range offsets {
		if o < g.committed[p] {
			g.wrong = append(g.wrong, fmt.Sprintf("%d went back from %d to %d", p.Partition, g.committed[p], o))
		}
		g.committed[p] = o
	}
	return nil
}

// walk is a member that meets random events, and what its group thinks.
type walk struct {
	*bench
	rnd   *rand.Rand
	group *fakeGroup
	owned map[int32]bool // by the member, as the group sees it
	every []*fakeLane
	born  map[*fakeLane]int // the membership in which it was started
	hold  chan struct{}
}

const walkPartitions = 4

func newWalk(t *testing.T, protocol string, seed uint64) *walk {
	t.Helper()
	w := &walk{
		rnd: rand.New(rand.NewPCG(seed, 1)), owned: map[int32]bool{},
		born:  map[*fakeLane]int{},
		group: &fakeGroup{committed: map[processor.Partition]int64{}},
	}
	w.bench = newBench(t, protocol, func(c *Config) {
		start := c.StartLane
		c.StartLane = func(a Assignment) Lane {
			l := start(a).(*fakeLane) //nolint:forcetypeassert // the bench's own
			w.client.set(func() { w.every, w.born[l] = append(w.every, l), w.group.membership })
			return l
		}
	})
	w.client.set(func() {
		w.client.group = w.group
		w.client.offsets = w.group.committed // absent: no answer
		for n := range int32(walkPartitions) {
			w.group.committed[part(n)] = 10
		}
	})
	return w
}

// lanes are all that were ever started.
func (w *walk) lanes() (all []*fakeLane) {
	w.client.set(func() { all = slices.Clone(w.every) })
	return all
}

func (w *walk) some(owned bool) (ns []int32) {
	for n := range int32(walkPartitions) {
		if w.owned[n] == owned && w.rnd.IntN(2) == 0 {
			ns = append(ns, n)
		}
	}
	return ns
}

// rebalance takes partitions and gives others, as the protocol does it.
func (w *walk) rebalance(lost bool) {
	if w.client.protocol == eager || lost {
		w.take(w.some(true), true, lost)
	} else {
		w.take(w.some(true), false, false)
	}
	pass(time.Duration(w.rnd.IntN(3000)) * time.Millisecond)
	w.client.set(func() {
		w.client.lost = false
		w.group.generation++
		for p := range w.group.committed { // what others did meanwhile
			if !w.owned[p.Partition] {
				w.group.committed[p] += w.rnd.Int64N(5)
			}
		}
	})
	ns := w.some(false)
	for _, n := range ns {
		w.owned[n] = true
	}
	w.client.assign(ns...)
}

func (w *walk) take(ns []int32, all, lost bool) {
	if all {
		ns = nil
		for n := range w.owned {
			ns = append(ns, n)
		}
	}
	w.client.set(func() {
		if lost {
			// A client says so, or only the answer to a commit does.
			w.client.lost = w.rnd.IntN(2) == 0
			w.group.membership++
		}
	})
	w.client.revoke(ns...)
	pass(15 * time.Second) // a revoke has an end
	for _, n := range ns {
		delete(w.owned, n)
		if l := w.lane(n); l != nil && !l.isHanging() && !isClosed(l.done) {
			w.t.Errorf("lane %d outlives its revoke", n)
		}
	}
}

func (w *walk) live() (ls []*fakeLane) {
	for _, l := range w.lanes() {
		if l.fencedBy() == nil && !isClosed(l.done) && (l.a.After == nil || isClosed(l.a.After)) {
			ls = append(ls, l)
		}
	}
	return ls
}

// step is one random event.
func (w *walk) step() {
	switch w.rnd.IntN(9) {
	case 0:
		w.rebalance(w.rnd.IntN(3) == 0)
	case 1, 2, 3:
		for _, l := range w.live() {
			l.settle(l.Position() + w.rnd.Int64N(4))
		}
	case 4:
		for _, l := range w.live() {
			busy := w.rnd.IntN(4) == 0
			l.become(busy, busy && w.rnd.IntN(2) == 0)
		}
	case 5: // a coordinator without an answer to lookups
		w.client.set(func() { w.client.offsets = map[processor.Partition]int64{} })
	case 6:
		w.client.set(func() { w.client.offsets = w.group.committed })
	case 7:
		w.freeze()
	case 8:
		w.thaw()
	}
	pass(time.Duration(w.rnd.IntN(2000)) * time.Millisecond)
	w.check()
}

func (w *walk) freeze() {
	if w.hold == nil {
		hold := make(chan struct{})
		w.hold = hold
		w.client.set(func() { w.client.hold = hold })
	}
}

func (w *walk) thaw() {
	if w.hold != nil {
		w.client.set(func() { w.client.hold = nil })
		close(w.hold)
		w.hold = nil
	}
}

// check looks for two lanes of a partition that may run at the same time, and for
// lanes that were taken for lost though their membership goes on.
func (w *walk) check() {
	may := map[int32]int{}
	for _, l := range w.lanes() {
		if !isClosed(l.done) && (l.a.After == nil || isClosed(l.a.After)) {
			may[l.a.Source.Partition.Partition]++
		}
	}
	for n := range w.owned {
		now, born, l := 0, 0, w.lane(n)
		w.client.set(func() { now, born = w.group.membership, w.born[l] })
		if l != nil && errors.Is(l.fencedBy(), ErrLost) && born == now {
			w.t.Errorf("%d is ours and was fenced: %v", n, l.fencedBy())
		}
	}
	for n, count := range may {
		if count > 1 {
			w.t.Errorf("%d lanes of %d at once", count, n)
		}
	}
}

// settleDown ends all trouble. What the group thinks that we own must move then.
func (w *walk) settleDown() {
	w.thaw()
	w.client.set(func() { w.client.offsets = w.group.committed })
	pass(time.Second)
	for _, l := range w.lanes() {
		l.become(false, false)
		if l.fencedBy() != nil {
			l.finish()
		}
	}
	pass(15 * time.Second)
	for n := range w.owned {
		l := w.lane(n)
		if l == nil || isClosed(l.done) || l.fencedBy() != nil || l.a.After != nil && !isClosed(l.a.After) {
			w.t.Errorf("%d stands still", n)
			continue
		}
		l.settle(l.Position() + 1)
	}
	pass(3 * time.Second)
	w.client.mu.Lock()
	defer w.client.mu.Unlock()
	for n := range w.owned {
		if at, want := w.group.committed[part(n)], w.lane(n).Position(); at != want {
			w.t.Errorf("%d is committed at %d, its position is %d", n, at, want)
		}
	}
	for _, x := range w.group.wrong {
		w.t.Error(x)
	}
}

// A member meets rebalances, losses, lookups and commits without answers, lanes that
// do not end, in any order: no commit goes back, no two lanes run at once, and when
// the trouble is over everything moves.
func TestAMemberSurvivesARandomWalk(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		protocol := []string{cooperative, eager}[seed%2]
		t.Run(fmt.Sprintf("%s-%d", protocol, seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWalk(t, protocol, seed)
				w.rebalance(false)
				for range 40 {
					w.step()
				}
				w.settleDown()
				ctx, cancel := context.WithTimeout(t.Context(), 16*time.Second)
				defer cancel()
				if err := w.member.Drain(ctx); err != nil {
					t.Errorf("drain: %v", err)
				}
				if r := w.close(); r.Outcome() != Clean {
					t.Errorf("ended %+v", r)
				}
				for _, l := range w.lanes() {
					if !isClosed(l.done) {
						t.Errorf("a lane of %d is left", l.a.Source.Partition.Partition)
						l.finish()
					}
				}
				if t.Failed() {
					calls := w.client.all()
					t.Logf("calls %v", calls[max(0, len(calls)-25):])
				}
			})
		})
	}
}
