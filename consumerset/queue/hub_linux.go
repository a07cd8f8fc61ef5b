package queue

/*
#include "client.h"
*/
import "C"

import (
	"sync"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// batchMax is how many messages one Read takes at most. More gains nothing, and
// what one Read returns lies in one slab that lives as long as any part of it.
const batchMax = 512

// scratch is the room for one call of the client. The addresses of C messages are
// kept as numbers: they never outlive the call.
type scratch struct {
	messages [batchMax]C.uintptr_t
	meta     [batchMax]C.pl_meta
}

// Hub gives out the partition queues of one client.
type Hub struct {
	rk      *C.rd_kafka_t
	waker   *waker
	scratch sync.Pool
}

// NewHub checks that the client gives out its queues and makes the wake pipe. A
// client that does not gives an error that wraps [ErrUnavailable].
func NewHub(c *kafka.Consumer) (*Hub, error) {
	rk, err := handle(c)
	if err != nil {
		return nil, err
	}
	w, err := newWaker()
	if err != nil {
		return nil, err
	}
	return &Hub{rk: rk, waker: w, scratch: sync.Pool{New: func() any { return new(scratch) }}}, nil
}

// Open takes the partition's queue out of the shared one and arms it. Call it
// before the client's Assign: what was fetched before goes to the shared queue.
// next is the first offset that the feed hands out; report, if not nil, gets the
// errors that the client recovers from by itself, on the reader's goroutine.
func (h *Hub) Open(topic string, partition int32, next int64, report func(*PartitionError)) (*Feed, error) {
	q, err := partitionQueue(h.rk, topic, partition)
	if err != nil {
		return nil, err
	}
	s, wake := h.waker.slot()
	f := &Feed{hub: h, topic: topic, partition: partition, report: report, wake: wake, slot: s, q: q, armed: true}
	f.next.Store(next)
	arm(q, h.waker.writeEnd, token(s))
	return f, nil
}

// WakeAll prompts one read of every feed: a cheap insurance against a wake-up that
// got lost.
func (h *Hub) WakeAll() { h.waker.wakeAll() }

// Close ends the waker. Every feed must be released or disarmed before.
func (h *Hub) Close() error { return h.waker.close() }
