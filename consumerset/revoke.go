package consumerset

import (
	"context"
	"slices"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

const (
	// revokeCommit bounds the commits of a revoke, the one in flight included.
	revokeCommit = 5 * time.Second
	// revokeRetry is the time between two commits that are "not yet" in a revoke.
	revokeRetry = 200 * time.Millisecond
	// hookLeast is what OnRevoked gets though the lanes took all of the time.
	hookLeast = time.Second
	// fenceReturn bounds the wait for attempts that were cancelled: one that looks at
	// its context has returned before the next owner can start.
	fenceReturn = time.Second
	// expelledAfter is how long an expelled member may wait for the callback that
	// takes its partitions back before an operator is told.
	expelledAfter = 30 * time.Second
)

func (m *Member) onRevoked(list []kafka.TopicPartition) {
	for _, tp := range list {
		delete(m.pending, partitionOf(tp)) // ends its lookup
	}
	slots := m.listed(list)
	switch {
	case m.stop.shut:
		// Inside Close: lanes are stopped, and nothing is committed here.
	case m.client.AssignmentLost():
		m.moveIn(Revoking)
		m.lose(slots, "the client has lost its assignment")
	default:
		m.moveIn(Revoking)
		m.giveBack(slots)
	}
	m.unassign(slots)
	m.calm()
	m.moveIn(Joining)
	m.publish()
}

// moveIn changes the state around a callback, which closing and failed outlast.
func (m *Member) moveIn(to State) {
	if m.view.state().CanMove(to) {
		m.move(to)
	}
}

// listed returns the slots of a callback. The eager protocol takes back everything.
func (m *Member) listed(list []kafka.TopicPartition) []*slot {
	var slots []*slot
	if !m.cooperative() {
		for _, s := range m.slots {
			slots = append(slots, s)
		}
		clear(m.pending)
		return slots
	}
	for _, tp := range list {
		if s := m.slots[partitionOf(tp)]; s != nil {
			slots = append(slots, s)
		}
	}
	return slots
}

// giveBack ends lanes in order: drain, commit, stop.
func (m *Member) giveBack(slots []*slot) {
	var owned []*slot
	for _, s := range slots {
		if !s.lost {
			owned = append(owned, s)
		}
	}
	if len(owned) == 0 {
		return
	}
	began := time.Now()
	for _, s := range owned {
		s.lane.Drain()
	}
	deadline := began.Add(m.cfg.Drain)
	for _, s := range owned {
		m.await(deadline, s.lane.Idle(), func() bool { return s.lost || s.idle() })
	}
	waited := time.Since(began)
	m.hookRevoked(owned, deadline)
	m.commitRevoked(owned)
	for _, s := range owned {
		drained := s.idle()
		if !s.lost {
			if m.stop.draining {
				m.stop.revoked = append(m.stop.revoked, s)
			}
			if m.stop.draining && !drained {
				m.view.unfinished(s)
			}
			m.end(s, ErrRevoked)
			m.emit(event.PartitionRevoked{Source: s.source, Position: s.committed.Load(), Drained: drained, Waited: waited})
		}
	}
	m.awaitReturned(owned, time.Now().Add(fenceReturn))
}

// awaitReturned waits until the lanes' attempts have returned: after that the
// partitions can be given away without an overlap. What is lost is another member's
// already.
func (m *Member) awaitReturned(slots []*slot, deadline time.Time) {
	for _, s := range slots {
		if !s.lost {
			m.await(deadline, s.lane.Done(), func() bool { return s.lost || isClosed(s.lane.Done()) })
		}
	}
}

// end stops an idle lane and fences one that is not. No read follows.
func (m *Member) end(s *slot, cause error) {
	if s.idle() {
		s.lane.Stop()
	} else {
		s.lane.Fence(cause)
	}
	s.feed.Close()
}

func (m *Member) hookRevoked(slots []*slot, deadline time.Time) {
	if m.stop.hook != nil {
		return // called for all partitions when the stop began
	}
	limit := max(time.Until(deadline), hookLeast)
	over := m.callRevoked(slots, limit)
	m.await(time.Now().Add(limit), over, func() bool { return isClosed(over) })
}

// commitRevoked commits what the lanes have settled, the commit in flight first. If
// that has no answer in time, no second one is sent: two could go backwards.
func (m *Member) commitRevoked(slots []*slot) {
	deadline := time.Now().Add(revokeCommit)
	answered := func() bool { return !m.commit.inFlight }
	for m.await(deadline, nil, answered) {
		if !anyUnsaved(slots) || !m.startCommit(time.Now()) {
			return
		}
		if !m.await(deadline, nil, answered) || m.commit.last != answerLater {
			return
		}
		if hurried := m.rest(deadline, revokeRetry); hurried {
			return
		}
	}
}

// rest serves the mailbox for a while, and tells whether there is no time left.
func (m *Member) rest(deadline time.Time, d time.Duration) bool {
	at := time.Now().Add(d)
	if at.After(deadline) {
		return true
	}
	m.await(at, nil, func() bool { return false })
	return time.Now().Before(at)
}

func anyUnsaved(slots []*slot) bool {
	for _, s := range slots {
		if _, ok := s.unsaved(); ok {
			return true
		}
	}
	return false
}

// lose fences at once; nothing is committed.
func (m *Member) lose(slots []*slot, reason string) {
	var gone []processor.Partition
	for _, s := range slots {
		if s.lost {
			continue
		}
		if position, ok := s.unsaved(); ok && m.stop.draining {
			// A stop says what it could not commit, however that came.
			m.stop.lost = append(m.stop.lost, PartitionResult{s.partition(), position, s.committed.Load()})
		}
		s.lost = true
		s.lane.Fence(ErrLost)
		s.feed.Close()
		gone = append(gone, s.partition())
		m.emit(event.PartitionLost{Source: s.source, Reason: reason})
	}
	if len(gone) == 0 || m.cfg.Hooks.OnLost == nil {
		return
	}
	m.hooks.call("OnLost", m.cfg.HookTimeout, func(ctx context.Context) error {
		m.cfg.Hooks.OnLost(ctx, gone)
		return nil
	})
}

// expelled is what an answer to a commit says: all partitions are lost, whatever the
// client says of them. The callback that takes them back is still to come.
func (m *Member) expelled(cause error) {
	m.lose(m.allSlots(), cause.Error())
	m.lostAt = time.Now()
	m.publish()
}

// calm ends the wait for that callback when no lost partition is left, and other
// trouble whose partitions are gone.
func (m *Member) calm() {
	if !slices.ContainsFunc(m.allSlots(), func(s *slot) bool { return !s.assigned }) {
		m.well(ReasonNoStart)
	}
	if len(m.owned()) == len(m.slots) {
		m.lostAt = time.Time{}
		m.well(ReasonNotRevoked)
	}
}

// checkExpelled tells an operator when that callback does not come.
func (m *Member) checkExpelled(now time.Time) {
	if m.lostAt.IsZero() || now.Sub(m.lostAt) < expelledAfter {
		return
	}
	m.lostAt = now
	m.unwell(ReasonNotRevoked, ErrLost)
}

func (m *Member) fenceAll(cause error) {
	for _, s := range m.slots {
		s.lane.Fence(cause)
		s.feed.Close()
	}
}

func (m *Member) allSlots() []*slot {
	out := make([]*slot, 0, len(m.slots))
	for _, s := range m.slots {
		out = append(out, s)
	}
	return out
}

// unassign takes from the client exactly what it has: unassigning anything else
// fails, and the group stands still. An empty list answers the callback.
func (m *Member) unassign(slots []*slot) {
	var ps []processor.Partition
	for _, s := range slots {
		s.feed.Close()
		if s.assigned {
			ps = append(ps, s.partition())
		}
	}
	call, err := "Unassign", error(nil)
	if m.cooperative() {
		call, err = "IncrementalUnassign", m.client.IncrementalUnassign(topicPartitions(ps))
	} else {
		err = m.client.Unassign()
	}
	if err != nil && !m.stop.shut {
		m.failAssign(call, ps, err)
	}
	for _, s := range slots {
		m.retire(s)
	}
}

// retire forgets a slot that the client no longer has.
func (m *Member) retire(s *slot) {
	s.feed.Release()
	delete(m.slots, s.partition())
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
