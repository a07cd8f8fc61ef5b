package consumerset

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/consumerset/queue"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// pending is a partition that the group gave us and whose start is being looked up.
type pending struct {
	since time.Time
	err   error // of the last lookup
}

// answered is what a lookup found, and what it was asked for: a revoke ends that,
// also one that was followed by the same partition again.
type answered struct {
	resolution
	asked *pending
}

// onRebalance is the client's callback. It runs inside Poll, on the member's
// goroutine, and inside Close, on the one that closes. It always makes an assign
// call, so that the binding never makes its own.
func (m *Member) onRebalance(_ *kafka.Consumer, ev kafka.Event) error {
	m.inside = true
	defer func() { m.inside = false }()
	m.source.tell() // this may take its time
	m.protocol = m.client.GetRebalanceProtocol()
	switch e := ev.(type) {
	case kafka.AssignedPartitions:
		m.onAssigned(e.Partitions)
	case kafka.RevokedPartitions:
		m.onRevoked(e.Partitions)
	}
	return nil
}

func (m *Member) cooperative() bool { return m.protocol == "COOPERATIVE" }

func (m *Member) onAssigned(list []kafka.TopicPartition) {
	if m.stop.draining || m.stop.closing || m.failure != nil {
		m.assignNothing()
		return
	}
	m.moveIn(Assigning)
	m.well(ReasonAuthentication)
	m.well(ReasonGroupAuthorization)
	var fresh []processor.Partition
	for _, tp := range list {
		p := partitionOf(tp)
		if m.slots[p] != nil && !m.dropStale(p) {
			continue // still ours, still assigned
		}
		delete(m.pending, p) // what was asked for before this assignment
		fresh = append(fresh, p)
	}
	if m.failure != nil {
		m.assignNothing()
		return
	}
	var found []resolution
	if len(fresh) > 0 {
		var none, unanswered []processor.Partition
		var err error
		found, none, unanswered, err = m.lookup().committed(fresh)
		now := time.Now()
		for _, p := range append(none, unanswered...) {
			m.pending[p] = &pending{since: now, err: err}
		}
		m.askAt = now // at once
	}
	if m.assign(found) {
		m.moveIn(Steady)
	}
	m.calm()
	m.publish()
}

// dropStale removes a lost partition that the group gives us again without having
// taken it back. It tells whether the partition is to be assigned anew.
func (m *Member) dropStale(p processor.Partition) bool {
	s := m.slots[p]
	if !s.lost {
		return false
	}
	s.feed.Close()
	if s.assigned && m.cooperative() {
		if err := m.client.IncrementalUnassign(topicPartitions([]processor.Partition{p})); err != nil {
			m.failAssign("IncrementalUnassign", []processor.Partition{p}, err)
		}
	}
	m.retire(s)
	return true
}

// assignNothing answers a callback that comes while the member closes: looking up
// offsets never succeeds inside Close.
func (m *Member) assignNothing() {
	var err error
	if m.cooperative() {
		err = m.client.IncrementalAssign(nil)
	} else {
		err = m.client.Assign(nil)
	}
	if err != nil {
		m.reportError(int(code(err)), err)
	}
}

// assign gives the client the partitions with their offsets, and starts their lanes.
// It must be called with an empty list too when a callback is to be answered.
func (m *Member) assign(found []resolution) bool {
	slots := make([]*slot, 0, len(found))
	for _, r := range found {
		s, err := m.prepare(r)
		if err != nil {
			m.discard(slots)
			m.fail(fmt.Errorf("open feed of %s[%d]: %w", r.partition.Topic, r.partition.Partition, err))
			if m.inside {
				m.assignNothing() // the binding would make a call of its own
			}
			return false
		}
		slots = append(slots, s)
	}
	call, err := m.assignCall(slots)
	if err != nil {
		m.discard(slots)
		m.failAssign(call, partitionsOf(slots), err)
		return false
	}
	if err := m.source.assigned(partitionsOf(slots)); err != nil {
		m.discard(slots)
		m.failAssign("Resume", partitionsOf(slots), err)
		return false
	}
	m.start(slots)
	return true
}

func (m *Member) assignCall(slots []*slot) (call string, err error) {
	if m.cooperative() {
		return "IncrementalAssign", m.client.IncrementalAssign(offsetsOf(slots))
	}
	// The eager protocol knows the whole list only. What is assigned already goes on
	// where its feed stands; what comes twice is dropped there.
	list := offsetsOf(slots)
	for _, s := range m.slots {
		if s.assigned {
			list = append(list, topicPartition(s.partition(), s.feed.Next()))
		}
	}
	return "Assign", m.client.Assign(list)
}

func offsetsOf(slots []*slot) []kafka.TopicPartition {
	out := make([]kafka.TopicPartition, len(slots))
	for i, s := range slots {
		out[i] = topicPartition(s.partition(), s.start)
	}
	return out
}

// prepare opens the feed: before the assign call, because what is fetched before
// that goes to the shared queue.
func (m *Member) prepare(r resolution) (*slot, error) {
	s := m.newSlot(r)
	f, err := m.source.open(r.partition, r.offset, m.onPartitionError)
	if err != nil {
		return nil, err
	}
	s.feed, s.assigned = f, true
	return s, nil
}

func (m *Member) newSlot(r resolution) *slot {
	m.epochs[r.partition]++
	s := &slot{
		source: event.Source{Member: m.name, Partition: r.partition, Epoch: m.epochs[r.partition]},
		start:  r.offset, from: r.from,
	}
	s.committed.Store(-1)
	if r.committed {
		s.committed.Store(r.offset)
	}
	return s
}

// discard undoes prepare when nothing was assigned.
func (m *Member) discard(slots []*slot) {
	for _, s := range slots {
		s.feed.Close()
		s.feed.Release()
	}
}

// start makes and runs the lanes. They wait for the partition's earlier lane in this
// process and for OnAssigned.
func (m *Member) start(slots []*slot) {
	if len(slots) == 0 {
		return
	}
	hook := m.hookAssigned(partitionsOf(slots))
	for _, s := range slots {
		p := s.partition()
		m.emit(event.PartitionAssigned{Source: s.source, Offset: s.start, From: s.from})
		s.lane = m.cfg.StartLane(Assignment{
			Source: s.source, Start: s.start, From: s.from, Feed: s.feed,
			After: both(m.lanes.earlier(p), hook),
		})
		m.lanes.started(p, s.lane.Done())
		m.slots[p] = s
		go s.lane.Run()
		if s.assigned && s.committed.Load() < 0 {
			m.commit.due = time.Time{} // a start offset is committed at once
		}
	}
	m.publish()
}

// both returns a channel that is closed when both are; nil stands for a closed one.
func both(a, b <-chan struct{}) <-chan struct{} {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	c := make(chan struct{})
	go func() {
		<-a
		<-b
		close(c)
	}()
	return c
}

func (m *Member) hookAssigned(ps []processor.Partition) <-chan struct{} {
	if m.cfg.Hooks.OnAssigned == nil {
		return nil
	}
	return m.hooks.call("OnAssigned", m.cfg.HookTimeout, func(ctx context.Context) error {
		err := m.cfg.Hooks.OnAssigned(ctx, ps)
		if err == nil {
			m.box.post(func() { m.well(ReasonHook) })
		}
		return err
	})
}

func (m *Member) failAssign(call string, ps []processor.Partition, err error) {
	m.fail(&AssignError{Member: m.name, Call: call, Partitions: ps, Cause: err})
}

func (m *Member) lookup() lookup { return lookup{client: m.client, start: m.cfg.Start} }

// askPending starts a lookup beside the loop; one at a time.
func (m *Member) askPending(now time.Time) {
	if len(m.pending) == 0 || m.asking > 0 || m.stop.draining || now.Before(m.askAt) {
		return
	}
	ps := make([]processor.Partition, 0, len(m.pending))
	asked := make(map[processor.Partition]*pending, len(m.pending))
	for p, x := range m.pending {
		ps, asked[p] = append(ps, p), x
	}
	m.asking++
	l := m.lookup()
	go func() {
		out := l.resolve(ps)
		m.box.post(func() {
			m.asking--
			m.askAt = time.Now().Add(lookupPause)
			m.takeAnswers(out, asked)
		})
	}()
}

// takeAnswers keeps the answers for partitions that are still asked for.
func (m *Member) takeAnswers(out []resolution, asked map[processor.Partition]*pending) {
	for _, r := range out {
		x := m.pending[r.partition]
		if x == nil || x != asked[r.partition] {
			continue
		}
		if errors.Is(r.err, errUnanswered) {
			x.err = r.err
			m.reportError(int(code(r.err)), r.err)
			continue
		}
		m.answers = append(m.answers, answered{r, x})
	}
	m.publish()
}

// assignAnswers assigns what was looked up. It waits while a callback runs, and
// while a commit is in flight: an assignment would stop fetching until that returns.
func (m *Member) assignAnswers(now time.Time) {
	if len(m.answers) == 0 || m.inside || m.commit.inFlight || m.stop.draining {
		return
	}
	answers := m.answers
	m.answers = nil
	var found []resolution
	var dead []*slot
	for _, r := range answers {
		if m.pending[r.partition] != r.asked {
			continue // revoked meanwhile
		}
		delete(m.pending, r.partition)
		if r.err != nil {
			dead = append(dead, m.nowhere(r.resolution))
			continue
		}
		found = append(found, r.resolution)
	}
	if len(found) > 0 && !m.assign(found) {
		return
	}
	m.start(dead)
	m.publish()
}

// nowhere makes the slot of a partition that has nowhere to start: its lane says so,
// and the client does not have it.
func (m *Member) nowhere(r resolution) *slot {
	m.unwell(ReasonNoStart, r.err)
	s := m.newSlot(resolution{partition: r.partition, offset: -1})
	p := r.partition
	e := queue.NewPartitionError(p.Topic, p.Partition, -1, int(kafka.ErrNoOffset), r.err.Error())
	e.Cause = r.err
	s.feed = newDeadFeed(e)
	return s
}

// outOfRange is the client's error for an offset that its partition does not have.
func outOfRange(p processor.Partition, offset int64) *PartitionError {
	return queue.NewPartitionError(p.Topic, p.Partition, offset, int(kafka.ErrAutoOffsetReset),
		"the offset is out of the log's range")
}
