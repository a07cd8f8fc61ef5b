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
	// pollSlabMin and pollSlabMax bound how many messages lie in one piece.
	pollSlabMin = 4
	pollSlabMax = 512
	// messageOverhead is what a message costs beside its key, value and headers.
	messageOverhead = 128
)

// pollFeed is one partition's messages out of Poll.
type pollFeed struct {
	source    *pollSource
	partition processor.Partition
	report    func(*PartitionError)
	wake      chan struct{} // capacity 1: one token says that there is something
	next      atomic.Int64
	dropped   atomic.Int64

	// Owned by the member.
	queuedTo int64 // the offset after the last one queued
	untold   int   // messages since the lane was told

	mu sync.Mutex
	// slabs are the messages, oldest first; only the last one may have room. What a
	// reader got of one is never written again.
	slabs  [][]processor.Message
	filled int // messages that the last slab has got in all
	count  int
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
	f.add(msg)
	f.bytes += messageBytes(&msg)
	f.full = f.full || f.count >= pollCountHigh || f.bytes >= highBytes
	return f.full
}

// add appends to the last slab, or to a new one, which has room for twice of what
// came in the one before: messages are never moved, and one that comes alone takes
// little. Under mu.
func (f *pollFeed) add(msg processor.Message) {
	last := len(f.slabs) - 1
	if last < 0 || len(f.slabs[last]) == cap(f.slabs[last]) {
		f.slabs = append(f.slabs, make([]processor.Message, 0, min(max(2*f.filled, pollSlabMin), pollSlabMax)))
		f.filled = 0
		last++
	}
	f.slabs[last] = append(f.slabs[last], msg)
	f.filled++
	f.count++
}

// take takes at most n messages out of the first slab. Under mu.
func (f *pollFeed) take(n int) []processor.Message {
	if f.count == 0 {
		return nil
	}
	slab := f.slabs[0]
	n = min(n, len(slab))
	f.slabs[0] = slab[n:]
	f.count -= n
	if n == len(slab) {
		// Room that is left is given up: an idle feed keeps no messages alive.
		f.slabs[0] = nil
		f.slabs = f.slabs[1:]
	}
	return slab[:n:n]
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
	msgs = f.take(max(limit, 1))
	for i := range msgs {
		f.bytes -= messageBytes(&msgs[i])
	}
	if n := len(msgs); n > 0 {
		f.next.Store(msgs[n-1].Offset + 1)
	}
	more = f.count > 0
	if !more {
		err = f.err
	}
	room := f.full && !f.asked && f.count <= pollCountHigh/pollLowShare && f.bytes <= f.source.highBytes/pollLowShare
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
	f.closed, f.slabs, f.count, f.bytes = true, nil, 0, 0
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
