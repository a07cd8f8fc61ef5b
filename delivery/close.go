package delivery

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

const (
	// flushStep bounds one Flush, which does not know contexts.
	flushStep = 100 * time.Millisecond
	// purgeWait bounds the wait for the reports of purged records: measured 0.1 s.
	purgeWait = 2 * time.Second
	// closeWait bounds the client's Close: measured 0.05 to 0.1 s with the brokers
	// down, but it has no bound of its own.
	closeWait = 3 * time.Second
)

// Close ends the producer: it admits no more sends, waits until ctx ends for the
// reports of what was sent, and purges the rest. When it returns, every record
// has been resolved. It takes at most 5 s longer than ctx.
//
// The error is nil when every record had its report and the client has closed;
// else it wraps ErrUndelivered, ErrAbandoned or both. Close may be called more
// than once, and concurrently: all calls wait for the first and answer the same.
func (p *Producer) Close(ctx context.Context) error {
	p.closeOnce.Do(func() { p.closeErr = p.current.Load().close(ctx) })
	return p.closeErr
}

// close runs the calls into the client on a goroutine of their own, because none
// of them has a bound that can be relied on, and stops waiting in time.
func (g *generation) close(ctx context.Context) error {
	g.retire(ErrClosed)
	flushed, closed := make(chan struct{}), make(chan struct{})
	var failed atomic.Int64 // counter before the purge, whose reports are failures
	failed.Store(-1)
	go func() {
		defer close(closed)
		empty := g.flush(ctx)
		close(flushed)
		failed.Store(g.counters.failed.Load())
		if !empty {
			g.purge()
		}
		g.client.Close()
		<-g.drained
	}()
	select {
	case <-flushed:
	case <-ctx.Done():
	}
	deadline := time.NewTimer(purgeWait + closeWait)
	defer deadline.Stop()
	var problems []error
	select {
	case <-closed:
	case <-deadline.C:
		problems = append(problems, ErrAbandoned)
	}
	undelivered := g.resolveRest(ErrClosed)
	if before := failed.Load(); before >= 0 {
		undelivered = g.counters.failed.Load() - before
	}
	if undelivered > 0 {
		problems = append(problems, fmt.Errorf("%w: %d", ErrUndelivered, undelivered))
	}
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("close producer: %w", errors.Join(problems...))
}

// flush waits until the client has nothing left whose report is not out, and
// tells whether that came before ctx ended.
func (g *generation) flush(ctx context.Context) bool {
	for ctx.Err() == nil {
		if g.client.Flush(int(flushStep.Milliseconds())) == 0 {
			return true
		}
	}
	return g.client.Flush(0) == 0
}

// purge drops what is left in the client, and serves the reports that follow.
// Queue and in flight: a record in flight has no report at all otherwise.
func (g *generation) purge() {
	if g.client.Purge(kafka.PurgeQueue|kafka.PurgeInFlight|kafka.PurgeNonBlocking) != nil {
		return // closed already: Close resolves what is left
	}
	for end := time.Now().Add(purgeWait); time.Now().Before(end); {
		if g.client.Flush(int(flushStep.Milliseconds())) == 0 {
			return
		}
	}
}
