package consumerset

import (
	"fmt"
	"slices"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// commitPending is the age at which a commit without an answer is told of. It is not
// a failure: it completes when the coordinator is back.
const commitPending = 10 * time.Second

// committer is the one commit that may be in flight.
type committer struct {
	due      time.Time
	inFlight bool
	since    time.Time
	told     bool // of its being pending
	// held are the slots when it was sent: they tell whether its answer is for the
	// membership that there is.
	held []*slot
	last answer
	// failing is whether the last answer was a failure: it is told of once.
	failing bool
}

// stored is what a commit was made of: the epoch tells whether the partition is
// still the one that its answer is for.
type stored struct {
	slot     *slot
	position int64
}

// tickCommit commits every interval, and tells of a commit that is pending.
func (m *Member) tickCommit(now time.Time) {
	c := &m.commit
	if c.inFlight {
		if age := now.Sub(c.since); age >= commitPending && !c.told {
			c.told = true
			m.emit(event.CommitPending{Member: m.name, Age: age})
		}
		return
	}
	if now.Before(c.due) {
		return
	}
	c.due = now.Add(m.cfg.CommitInterval)
	m.startCommit(now)
}

// startCommit stores every position that has moved and starts one Commit beside the
// loop. It tells whether there was anything to commit.
func (m *Member) startCommit(now time.Time) bool {
	if m.commit.inFlight || m.fatal() {
		return false
	}
	list, parts := m.unsaved()
	if len(list) == 0 {
		return false
	}
	// The call's error says that all of them failed; each entry has its own.
	entries, err := m.client.StoreOffsets(list)
	kept := 0
	for _, e := range entries {
		if e.Error != nil {
			m.reportError(int(code(e.Error)), e.Error)
			delete(parts, partitionOf(e))
			continue
		}
		kept++
	}
	if kept == 0 {
		if err != nil && len(entries) == 0 {
			m.reportError(int(code(err)), err)
		}
		return false
	}
	m.commit.inFlight, m.commit.since, m.commit.told = true, now, false
	m.commit.held = m.allSlots()
	m.view.setCommit(now)
	c := m.client
	go func() {
		entries, err := c.Commit()
		m.box.post(func() { m.committed(parts, entries, err) })
	}()
	return true
}

// unsaved returns the positions that are not committed yet. Partitions that have not
// moved cost nothing.
func (m *Member) unsaved() ([]kafka.TopicPartition, map[processor.Partition]stored) {
	var list []kafka.TopicPartition
	parts := map[processor.Partition]stored{}
	for p, s := range m.slots {
		if position, ok := s.unsaved(); ok {
			list = append(list, topicPartition(p, position))
			parts[p] = stored{s, position}
		}
	}
	return list, parts
}

// committed takes a commit's answer, on the member's goroutine.
func (m *Member) committed(parts map[processor.Partition]stored, entries []kafka.TopicPartition, err error) {
	c := &m.commit
	c.inFlight, c.last = false, answerOf(err)
	if c.last == answerDone {
		m.well(ReasonAuthentication)
		m.well(ReasonGroupAuthorization)
	}
	m.view.setCommit(time.Time{})
	switch c.last {
	case answerDone:
		m.kept(saved(parts, entries))
	case answerNothing:
		if !m.moved(parts) {
			err = nil // what it was for is gone
		}
		m.kept(err)
	case answerLost:
		m.emit(event.CommitFailed{Member: m.name, Code: int(code(err)), Cause: err})
		// The answer to a commit of an earlier membership may come when there is
		// a new one. Nobody would take that one's partitions back.
		if slices.ContainsFunc(c.held, m.has) {
			m.expelled(err)
		}
	case answerLater, answerFailed:
		m.kept(err)
	}
}

// saved notes what was committed. Of several partitions some may be refused though
// the call has no error.
func saved(parts map[processor.Partition]stored, entries []kafka.TopicPartition) (refused error) {
	for _, e := range entries {
		st, ok := parts[partitionOf(e)]
		switch {
		case !ok:
		case e.Error != nil:
			refused = fmt.Errorf("commit %s[%d]: %w", *e.Topic, e.Partition, e.Error)
		case int64(e.Offset) > st.slot.committed.Load():
			st.slot.committed.Store(int64(e.Offset))
		}
	}
	return refused
}

// moved tells whether the partitions of a commit are still ours, and have a position
// that is not committed.
func (m *Member) moved(parts map[processor.Partition]stored) bool {
	for _, st := range parts {
		if m.has(st.slot) && !st.slot.lost && st.position > st.slot.committed.Load() {
			return true
		}
	}
	return false
}

// kept tells, once in a row, that positions are kept for the next commit because of
// err; nil ends the row.
func (m *Member) kept(err error) {
	if err != nil && !m.commit.failing {
		m.emit(event.CommitFailed{Member: m.name, Code: int(code(err)), Kept: true, Cause: err})
	}
	m.commit.failing = err != nil
	if reason := trouble(code(err)); reason != "" {
		m.unwell(reason, err)
	}
}

// has tells whether the slot is one of the present assignment.
func (m *Member) has(s *slot) bool { return m.slots[s.partition()] == s }
