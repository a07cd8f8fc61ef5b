package queue

/*
#include "client.h"
*/
import "C"

import (
	"sync"
	"sync/atomic"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// Feed is the messages of one partition for one assignment. It implements
// lane.Feed.
type Feed struct {
	hub       *Hub
	topic     string
	partition int32
	report    func(*PartitionError)
	wake      chan struct{} // capacity 1: one token says all
	slot      int

	next    atomic.Int64
	dropped atomic.Int64

	mu     sync.Mutex
	q      *C.rd_kafka_queue_t // nil once released
	armed  bool
	closed bool
	dead   *PartitionError
}

// Read implements lane.Feed. Messages below the next offset are dropped: a
// rebalance can make the client fetch again what was handed out.
func (f *Feed) Read(limit int) ([]processor.Message, bool, error) {
	msgs, more, passing, err := f.read(max(1, min(limit, batchMax)))
	if f.report != nil {
		for _, e := range passing {
			f.report(e)
		}
	}
	return msgs, more, err
}

func (f *Feed) read(limit int) (msgs []processor.Message, more bool, passing []*PartitionError, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, false, nil, lane.ErrFeedClosed
	}
	if f.dead != nil {
		return nil, false, nil, f.dead
	}
	sc := f.hub.scratch.Get().(*scratch) // the pool holds nothing else
	defer f.hub.scratch.Put(sc)
	var bytes C.int64_t
	n := int(C.pl_read(f.q, &sc.messages[0], &sc.meta[0], C.size_t(limit), &bytes))
	if n <= 0 {
		return nil, false, nil, nil
	}
	d := decoder{slab: make([]byte, int(bytes)), feed: f}
	d.take(sc, n)
	msgs, passing = d.decode(sc.meta[:n])
	// Fewer than asked for: the queue was seen empty, so the next message wakes.
	more = n == limit
	if f.dead != nil {
		return msgs, false, passing, f.dead
	}
	return msgs, more, passing, nil
}

// Wake implements lane.Feed.
func (f *Feed) Wake() <-chan struct{} { return f.wake }

// Next is the offset after the last message handed out, or the first one to be
// handed out.
func (f *Feed) Next() int64 { return f.next.Load() }

// Dropped is how many messages came a second time and were dropped.
func (f *Feed) Dropped() int64 { return f.dropped.Load() }

// Close ends reading: it waits for a Read that runs, and every later one answers
// lane.ErrFeedClosed without touching the client. It is idempotent.
func (f *Feed) Close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	poke(f.wake)
}

// Disarm ends the wake-ups. It is idempotent and implied by Release.
func (f *Feed) Disarm() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.disarm()
}

func (f *Feed) disarm() {
	if !f.armed {
		return
	}
	f.armed = false
	disarm(f.q)
	f.hub.waker.giveBack(f.slot)
}

// Release gives the queue back, after Close and after the client's Unassign. It
// throws away what is still queued: neither Unassign nor giving the queue back does,
// and it would stay in memory until the partition is assigned again. It is
// idempotent.
func (f *Feed) Release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		panic("release a partition queue that is not closed")
	}
	if f.q == nil {
		return
	}
	f.disarm()
	C.pl_drop(f.q)
	C.rd_kafka_queue_destroy(f.q)
	f.q = nil
}

// Forget gives the queue back when the client is closed: it must not be read
// any more, only destroyed. It is idempotent.
func (f *Feed) Forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	if f.q == nil {
		return
	}
	f.disarm()
	C.rd_kafka_queue_destroy(f.q)
	f.q = nil
}
