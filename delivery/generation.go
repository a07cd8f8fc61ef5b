package delivery

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// generation is one client with its handles.
type generation struct {
	// Set at construction.
	number   int64
	client   Client
	counters *counters
	events   event.Sink
	drained  chan struct{} // closed when the client has closed its events

	// Owned by the goroutine that drains.
	errorRate errorRate

	// Shared. admit is read-locked by every Produce and locked to retire; it
	// guards retired, the reason why nothing is admitted any more.
	admit   sync.RWMutex
	retired error
	handles handles
	room    room
	fatal   atomic.Pointer[kafka.Error]
	over    atomic.Bool // all handles were resolved: a report is a late one
	pool    sync.Pool   // of *outgoing
}

func newGeneration(number int64, client Client, shared *counters, events event.Sink) *generation {
	return &generation{
		number:    number,
		client:    client,
		counters:  shared,
		events:    events,
		drained:   make(chan struct{}),
		errorRate: errorRate{},
	}
}

// send hands one record to the client, waiting for room if it must. Nil means
// that a report (or the end of the generation) will resolve h.
func (g *generation) send(ctx context.Context, h handle, r *processor.Record) *Error {
	if code, problem := checkRecord(r); problem != "" {
		return g.refused(h, r, kafka.NewError(code, problem, false))
	}
	out := g.outgoing(r)
	defer g.release(out)
	err := g.try(h, out)
	if isCode(err, kafka.ErrQueueFull) {
		err = g.sendWhenRoom(ctx, h, out)
	}
	if err != nil {
		return g.refused(h, r, err)
	}
	return nil
}

// sendWhenRoom tries again whenever there may be room, until the record is in
// the queue or something other than a full queue ends it.
func (g *generation) sendWhenRoom(ctx context.Context, h handle, out *outgoing) error {
	g.counters.queueFull.Add(1)
	g.room.waiting.Add(1)
	defer g.room.waiting.Add(-1)
	ending := h.attempt.ending()
	wait := roomRetryMin
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		freed := g.room.next()
		err := g.try(h, out)
		if !isCode(err, kafka.ErrQueueFull) {
			return err
		}
		select {
		case <-freed:
			wait = roomRetryMin
		case <-timer.C:
			wait = min(2*wait, roomRetryMax)
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		case <-ending:
			return fmt.Errorf("%w: %w", processor.ErrAttemptEnded, err)
		}
		timer.Reset(wait)
	}
}

// try registers the handle and calls Produce once. The read lock keeps the
// handle and the record on the same side of a retire.
func (g *generation) try(h handle, out *outgoing) error {
	g.admit.RLock()
	defer g.admit.RUnlock()
	if g.retired != nil {
		return g.retired
	}
	if fatal := g.fatal.Load(); fatal != nil {
		return *fatal
	}
	id := g.handles.add(h)
	out.message.Opaque = id
	err := g.client.Produce(&out.message, nil)
	if err == nil {
		g.counters.sent.Add(1)
		return nil
	}
	if _, waiting := g.handles.take(id); !waiting {
		// A report was faster than the error: it has resolved the handle, and the
		// error must not do so again.
		g.counters.sent.Add(1)
		return nil
	}
	if isCode(err, kafka.ErrFatal) {
		if cause := g.client.GetFatalError(); cause != nil {
			return cause
		}
	}
	return err
}

// retire stops admitting: every later send answers reason. When it returns, no
// Produce is under way, and those that wait for room have been woken.
func (g *generation) retire(reason error) {
	g.admit.Lock()
	if g.retired == nil {
		g.retired = reason
	}
	g.admit.Unlock()
	g.room.close()
}

// resolveRest fails every handle that is left; their reports count as late.
func (g *generation) resolveRest(reason error) int64 {
	g.over.Store(true)
	rest := g.handles.takeAll()
	for _, h := range rest {
		g.counters.failed.Add(1)
		h.attempt.resolve(h.index, &Error{
			Topic:      h.topic,
			Partition:  -1,
			Index:      h.index,
			Code:       int(kafka.ErrState),
			Generation: g.number,
			Advice:     ruleRefused(kafka.ErrState).advice,
			Cause:      reason,
			class:      infrastructure,
		})
	}
	return int64(len(rest))
}
