package consumerset

import (
	"context"
	"slices"
	"time"

	"github.com/pitlane-go/pitlane/event"
)

const (
	// closeClient bounds the client's Close: 0 s is normal, 5 s with nobody there.
	closeClient = 6 * time.Second
	// closeMin is the time for a close that nobody gave a deadline.
	closeMin = 12 * time.Second
	// closeReserve is kept for what follows the client's Close.
	closeReserve = 500 * time.Millisecond
	// closeLanes is how long lanes that were stopped are waited for.
	closeLanes = time.Second
	// closeHooks is how long hooks that are still under way are waited for; it is
	// part of closeReserve.
	closeHooks = 250 * time.Millisecond
)

// stopping is how far the stop of a member is.
type stopping struct {
	draining bool            // nothing new starts, nothing new is assigned
	hook     <-chan struct{} // OnRevoked was called; closed when it is over
	drained  bool
	closing  bool // the loop ends
	deadline time.Time
	shut     bool // the client is being closed: a callback only unassigns
	// lost are the partitions that were lost while draining, with settled messages
	// that are not committed.
	lost []PartitionResult
	// revoked are those that a revoke inside the stop took away.
	revoked []*slot
}

// Drain is the first step of a stop: nothing new starts, running attempts end, and
// what is settled is committed. It returns nil when all that is done, and the
// context's cause when it was not done in time. The member goes on polling.
func (m *Member) Drain(ctx context.Context) error {
	m.box.post(m.beginDrain)
	select {
	case <-m.drained:
		return nil
	case <-m.ended:
		return m.failure
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Close is the second step: it fences what still runs, commits once more, leaves the
// group and closes the client, inside the deadline of ctx or, without one, 12 s.
// With a commit still pending the client is left alone. It is idempotent.
func (m *Member) Close(ctx context.Context) MemberResult {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(closeMin)
	}
	m.hurryOnce.Do(func() { close(m.hurry) })
	m.box.post(func() { m.stop.closing, m.stop.deadline = true, deadline })
	if !m.begun.Load() {
		return MemberResult{Member: m.name} // a Run that follows ends at once
	}
	select {
	case <-m.ended:
		if !m.running.Load() {
			return MemberResult{Member: m.name, Err: m.failure} // it never had a client
		}
	case <-ctx.Done():
	}
	return m.view.outcome(m.name)
}

func (m *Member) beginDrain() {
	if m.stop.draining {
		return
	}
	m.stop.draining = true
	m.moveIn(Closing)
	clear(m.pending)
	m.answers = nil
	for _, s := range m.slots {
		s.lane.Drain()
	}
	m.publish()
}

// tickDrain goes through a drain: lanes, hook, commit.
func (m *Member) tickDrain(now time.Time) {
	if !m.stop.draining || m.stop.drained || !m.allIdle() {
		return
	}
	if m.stop.hook == nil {
		m.stop.hook = m.callRevoked(m.owned(), m.cfg.HookTimeout)
	}
	if !isClosed(m.stop.hook) || m.commit.inFlight {
		return
	}
	if !anyUnsaved(m.allSlots()) {
		m.stop.drained = true
		close(m.drained)
		return
	}
	// At once the first time, then at the pace of a revoke.
	if next := now.Add(revokeRetry); m.commit.due.After(next) || !now.Before(m.commit.due) {
		m.commit.due = next
		m.startCommit(now)
	}
}

// owned are the slots that are not lost.
func (m *Member) owned() []*slot {
	return slices.DeleteFunc(m.allSlots(), func(s *slot) bool { return s.lost })
}

func (m *Member) allIdle() bool {
	for _, s := range m.slots {
		if !s.lost && !s.idle() {
			return false
		}
	}
	return true
}

// shut ends the member: lanes, last commit, lookups, client, wake-ups, hooks, in that
// order. Nothing polls after it.
func (m *Member) shut() {
	if m.stop.deadline.IsZero() {
		m.stop.deadline = time.Now().Add(closeMin)
	}
	m.stop.draining, m.stop.closing = true, true
	m.moveIn(Closing)
	m.publish()
	lanes := m.stopLanes()
	m.lastCommit()
	if m.failure == nil {
		m.awaitReturned(m.allSlots(), m.beforeClose(fenceReturn))
	}
	for _, s := range m.slots {
		s.feed.Disarm() // before the wake-up's descriptor is closed
	}
	m.box.serve()
	m.view.setResult(m.result())
	if m.closeClient() {
		m.moveIn(Closed)
	} else {
		m.view.abandon()
		m.moveIn(Abandoned)
	}
	if err := m.source.close(); err != nil {
		m.reportError(int(code(err)), err)
	}
	m.endLogs()
	m.hooks.end(closeHooks)
	awaitLanes(lanes, m.stop.deadline)
}

// stopLanes ends every lane: idle ones are stopped, the others fenced. No feed is
// read any more, so a lane that hangs in user code does not forbid Close.
func (m *Member) stopLanes() (lanes []Lane) {
	slots := m.allSlots()
	var owned []*slot
	for _, s := range slots {
		lanes = append(lanes, s.lane)
		if m.failure != nil {
			s.lane.Fence(m.failure) // again, or for the first time: it does no harm
		}
		if s.lost || m.failure != nil {
			continue
		}
		owned = append(owned, s)
		s.lane.Drain() // one that has nothing under way is idle now
		if !s.idle() {
			m.view.unfinished(s)
		}
		m.end(s, ErrStopped)
	}
	if m.stop.hook == nil && m.failure == nil {
		over := m.callRevoked(owned, hookLeast)
		m.await(time.Now().Add(hookLeast), over, func() bool { return isClosed(over) })
	}
	return lanes
}

// callRevoked calls OnRevoked; without one the returned channel is closed.
func (m *Member) callRevoked(slots []*slot, limit time.Duration) <-chan struct{} {
	if m.cfg.Hooks.OnRevoked == nil || len(slots) == 0 {
		c := make(chan struct{})
		close(c)
		return c
	}
	ps := partitionsOf(slots)
	return m.hooks.call("OnRevoked", limit, func(ctx context.Context) error {
		m.cfg.Hooks.OnRevoked(ctx, ps)
		return nil
	})
}

// beforeClose is when something that precedes the client's Close, and may take up to
// limit, is waited for no longer. Close gets its time, but not all of a short
// deadline.
func (m *Member) beforeClose(limit time.Duration) time.Time {
	left := time.Until(m.stop.deadline)
	return time.Now().Add(min(limit, max(left-closeClient-closeReserve, left/3)))
}

// lastCommit commits what was settled since the drain, and waits for lookups: no call
// of the client may be under way when it is closed.
func (m *Member) lastCommit() {
	by := m.beforeClose(revokeCommit)
	answered := func() bool { return !m.commit.inFlight }
	if !m.fatal() && m.await(by, nil, answered) && m.startCommit(time.Now()) {
		m.await(by, nil, answered)
	}
	m.await(by, nil, func() bool { return m.asking == 0 })
}

// closeClient closes the client, and tells whether it is closed. It is abandoned
// when it does not close in time, and not closed at all after a fatal error or with
// a call of it under way: Close would not return.
func (m *Member) closeClient() bool {
	if m.fatal() || m.commit.inFlight || m.asking > 0 {
		return false
	}
	m.stop.shut = true
	done := make(chan error, 1) // Close may return when nobody waits any more
	go func() {
		err := m.client.Close()
		// No callback came for what is left. From here on only this goroutine has
		// the slots.
		for _, s := range m.slots {
			s.feed.Forget()
		}
		done <- err
	}()
	limit := time.NewTimer(min(closeClient, max(time.Until(m.stop.deadline)-closeReserve, closeReserve)))
	defer limit.Stop()
	select {
	case err := <-done:
		if err != nil {
			m.reportError(int(code(err)), err)
		}
		return true
	case <-limit.C:
		return false
	}
}

// awaitLanes waits a moment for lanes that were stopped: nothing that a member
// started outlives it, but for user code that does not look at its context.
func awaitLanes(lanes []Lane, deadline time.Time) {
	limit := time.NewTimer(min(closeLanes, time.Until(deadline)))
	defer limit.Stop()
	for _, l := range lanes {
		select {
		case <-l.Done():
		case <-limit.C:
			return
		}
	}
}

// result is what a stop left behind, before the client is closed.
func (m *Member) result() MemberResult {
	r := MemberResult{Member: m.name, CommitPending: m.commit.inFlight, Err: m.failure, Uncommitted: m.stop.lost}
	for _, s := range append(m.allSlots(), m.stop.revoked...) {
		if position, ok := s.unsaved(); ok {
			r.Uncommitted = append(r.Uncommitted, PartitionResult{s.partition(), position, s.committed.Load()})
		}
	}
	for _, s := range m.slots {
		if !s.lost && s.assigned {
			m.emit(event.PartitionRevoked{
				Source: s.source, Position: s.committed.Load(), Drained: !m.view.isUnfinished(s),
			})
		}
	}
	return r
}
