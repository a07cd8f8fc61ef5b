package consumerset

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

const (
	// pollCountHigh and pollLowShare are the marks of a feed that Poll fills: it is
	// paused above the high one and resumed below a share of it. A pause throws
	// away what the client has queued, so the marks lie far apart.
	pollCountHigh = 10_000
	pollLowShare  = 10
	// messageOverhead is what a message costs beside its key, value and headers.
	messageOverhead = 128
)

// pollSource fills feeds from the client's Poll, and pauses those that are full.
type pollSource struct {
	client    client
	highBytes int64
	feeds     map[processor.Partition]*pollFeed
	// paused outlives an assignment: so does the client's pause.
	paused map[processor.Partition]bool

	mu      sync.Mutex
	drained []*pollFeed // paused feeds that have room again
}

func newPollSource(c client, highBytes int64) *pollSource {
	return &pollSource{
		client: c, highBytes: highBytes,
		feeds:  map[processor.Partition]*pollFeed{},
		paused: map[processor.Partition]bool{},
	}
}

func (*pollSource) kind() FeedKind { return FeedPoll }

func (s *pollSource) open(p processor.Partition, next int64, report func(*PartitionError)) (feed, error) {
	f := &pollFeed{source: s, partition: p, report: report, wake: make(chan struct{}, 1)}
	f.wake <- struct{}{}
	f.next.Store(next)
	f.queuedTo = next
	s.feeds[p] = f
	return f, nil
}

// assigned resumes what an earlier assignment left paused, and nothing else.
func (s *pollSource) assigned(ps []processor.Partition) error {
	var list []processor.Partition
	for _, p := range ps {
		if s.paused[p] {
			list = append(list, p)
		}
	}
	return s.resume(list)
}

func (s *pollSource) resume(ps []processor.Partition) error {
	if len(ps) == 0 {
		return nil
	}
	for _, p := range ps {
		delete(s.paused, p)
	}
	return s.client.Resume(topicPartitions(ps))
}

func (s *pollSource) message(m *kafka.Message) error {
	p := partitionOf(m.TopicPartition)
	f := s.feeds[p]
	if f == nil {
		return nil // of a partition that has been given back
	}
	if full := f.push(m, s.highBytes); full && !s.paused[p] {
		s.paused[p] = true
		return s.client.Pause(topicPartitions([]processor.Partition{p}))
	}
	return nil
}

// hasRoom is called by a lane whose feed fell below the low mark.
func (s *pollSource) hasRoom(f *pollFeed) {
	s.mu.Lock()
	s.drained = append(s.drained, f)
	s.mu.Unlock()
}

func (s *pollSource) tick() error {
	s.mu.Lock()
	drained := s.drained
	s.drained = nil
	s.mu.Unlock()
	var list []processor.Partition
	for _, f := range drained {
		// A feed of an earlier assignment says nothing about this one.
		if s.feeds[f.partition] == f && s.paused[f.partition] {
			list = append(list, f.partition)
			f.resumed()
		}
	}
	return s.resume(list)
}

func (s *pollSource) wakeAll() {}

func (s *pollSource) close() error { return nil }

// fail marks a partition that the client has stopped fetching.
func (s *pollSource) fail(e *PartitionError) {
	if f := s.feeds[processor.Partition{Topic: e.Topic, Partition: e.Partition}]; f != nil {
		f.fail(e)
	}
}

func (s *pollSource) forget(f *pollFeed) {
	if s.feeds[f.partition] == f {
		delete(s.feeds, f.partition)
	}
}

// pollFeed is one partition's messages out of Poll.
type pollFeed struct {
	source    *pollSource
	partition processor.Partition
	report    func(*PartitionError)
	wake      chan struct{} // capacity 1: one token says that there is something
	next      atomic.Int64
	dropped   atomic.Int64

	queuedTo int64 // owned by the member: the offset after the last one queued

	mu     sync.Mutex
	msgs   []processor.Message
	bytes  int64
	full   bool // paused, or about to be
	asked  bool // hasRoom was called for this pause
	closed bool
	err    error
}

// push takes a message in and tells whether the feed is full.
func (f *pollFeed) push(m *kafka.Message, highBytes int64) (full bool) {
	offset := int64(m.TopicPartition.Offset)
	if offset < f.queuedTo {
		f.dropped.Add(1) // fetched again after a pause or a rebalance callback
		return false
	}
	f.queuedTo = offset + 1
	msg := f.convert(m)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	f.msgs = append(f.msgs, msg)
	f.bytes += messageBytes(&msg)
	f.full = f.full || len(f.msgs) >= pollCountHigh || f.bytes >= highBytes
	f.signal()
	return f.full
}

func (f *pollFeed) convert(m *kafka.Message) processor.Message {
	msg := processor.Message{
		Topic: f.partition.Topic, Partition: f.partition.Partition,
		Offset: int64(m.TopicPartition.Offset), Key: m.Key, Value: m.Value,
	}
	if m.TimestampType != kafka.TimestampNotAvailable {
		msg.Timestamp = time.UnixMilli(m.Timestamp.UnixMilli())
	}
	if len(m.Headers) > 0 {
		msg.Headers = make([]processor.Header, len(m.Headers))
		for i, h := range m.Headers {
			msg.Headers[i] = processor.Header{Key: h.Key, Value: h.Value}
		}
	}
	return msg
}

// Read implements lane.Feed.
func (f *pollFeed) Read(limit int) (msgs []processor.Message, more bool, err error) {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return nil, false, lane.ErrFeedClosed
	}
	n := min(max(limit, 1), len(f.msgs))
	msgs, f.msgs = f.msgs[:n:n], f.msgs[n:]
	for i := range msgs {
		f.bytes -= messageBytes(&msgs[i])
	}
	if n > 0 {
		f.next.Store(msgs[n-1].Offset + 1)
	}
	more = len(f.msgs) > 0
	if !more {
		err = f.err
		f.msgs = nil // the array behind it is the readers'
	}
	room := f.full && !f.asked && len(f.msgs) <= pollCountHigh/pollLowShare && f.bytes <= f.source.highBytes/pollLowShare
	f.asked = f.asked || room
	f.mu.Unlock()
	if room {
		f.source.hasRoom(f)
	}
	return msgs, more, err
}

// Wake implements lane.Feed.
func (f *pollFeed) Wake() <-chan struct{} { return f.wake }

// Next implements feed.
func (f *pollFeed) Next() int64 { return f.next.Load() }

func (f *pollFeed) resumed() {
	f.mu.Lock()
	f.full, f.asked = false, false
	f.mu.Unlock()
}

func (f *pollFeed) fail(err error) {
	f.mu.Lock()
	f.err = err
	f.signal()
	f.mu.Unlock()
}

func (f *pollFeed) signal() {
	select {
	case f.wake <- struct{}{}:
	default: // a token is there already
	}
}

// Close implements feed.
func (f *pollFeed) Close() {
	f.mu.Lock()
	f.closed, f.msgs, f.bytes = true, nil, 0
	f.signal()
	f.mu.Unlock()
}

// Disarm implements feed.
func (f *pollFeed) Disarm() {}

// Release implements feed.
func (f *pollFeed) Release() { f.source.forget(f) }

// Forget implements feed.
func (f *pollFeed) Forget() { f.source.forget(f) }

func messageBytes(m *processor.Message) int64 {
	n := messageOverhead + len(m.Key) + len(m.Value)
	for i := range m.Headers {
		n += len(m.Headers[i].Key) + len(m.Headers[i].Value)
	}
	return int64(n)
}

// deadFeed is the feed of a partition that cannot start.
type deadFeed struct {
	err  error
	wake chan struct{}
}

func newDeadFeed(err error) *deadFeed {
	f := &deadFeed{err: err, wake: make(chan struct{}, 1)}
	f.wake <- struct{}{}
	return f
}

// Read implements lane.Feed.
func (f *deadFeed) Read(int) ([]processor.Message, bool, error) { return nil, false, f.err }

// Wake implements lane.Feed.
func (f *deadFeed) Wake() <-chan struct{} { return f.wake }

// Next implements feed.
func (*deadFeed) Next() int64 { return -1 }

// Close implements feed.
func (*deadFeed) Close() {}

// Disarm implements feed.
func (*deadFeed) Disarm() {}

// Release implements feed.
func (*deadFeed) Release() {}

// Forget implements feed.
func (*deadFeed) Forget() {}
