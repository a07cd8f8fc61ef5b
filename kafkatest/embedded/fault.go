package embedded

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Fault is a fault that was asked for.
type Fault struct {
	handle *kfake.FaultHandle
	gate   *gate
	wire   *wire
}

// FailNext lets the next n requests of an API key answer an error code; -1 means
// all until Remove. The broker does not act on these requests. (With the code of
// REQUEST_TIMED_OUT or NOT_ENOUGH_REPLICAS_AFTER_APPEND it does, as Kafka does.)
func (b *Broker) FailNext(key kmsg.Key, code int16, n int) (*Fault, error) {
	return b.Fail(kfake.Fault{Keys: []kmsg.Key{key}, Count: n}, code)
}

// Fail is FailNext for requests selected by topic, group, broker and so on.
func (b *Broker) Fail(f kfake.Fault, code int16) (*Fault, error) {
	e := kerr.TypedErrorForCode(code)
	if e == nil {
		return nil, fmt.Errorf("fail requests with code %d: %w", code, ErrBadCode)
	}
	f.Err = e
	return &Fault{handle: b.cluster.Fault(f)}, nil
}

// Hold keeps the next n requests of an API key (-1: all) from the broker until
// Remove. Later requests on the same connection wait behind them.
func (b *Broker) Hold(key kmsg.Key, n int) *Fault {
	return b.wire.add(&gate{key: key.Int16(), left: n})
}

// Delay holds the next n requests of an API key (-1: all) for a time each.
func (b *Broker) Delay(key kmsg.Key, n int, d time.Duration) *Fault {
	return b.wire.add(&gate{key: key.Int16(), left: n, delay: d})
}

// Hits returns how many requests the fault has met.
func (f *Fault) Hits() int {
	if f.handle != nil {
		return f.handle.Hits()
	}
	f.wire.mu.Lock()
	defer f.wire.mu.Unlock()
	return f.gate.hits
}

// Wait waits until the fault has met n requests.
func (f *Fault) Wait(ctx context.Context, n int) error {
	if f.handle != nil {
		if err := f.handle.Wait(ctx, n); err != nil {
			return fmt.Errorf("wait for %d faults: %w", n, err)
		}
		return nil
	}
	for {
		f.wire.mu.Lock()
		hits, changedCh := f.gate.hits, f.gate.changedCh
		f.wire.mu.Unlock()
		if hits >= n {
			return nil
		}
		select {
		case <-changedCh:
		case <-ctx.Done():
			return fmt.Errorf("wait for %d faults, met %d: %w", n, hits, ctx.Err())
		}
	}
}

// Remove ends the fault; what is held goes on.
func (f *Fault) Remove() {
	if f.handle != nil {
		f.handle.Remove()
		return
	}
	f.wire.mu.Lock()
	defer f.wire.mu.Unlock()
	f.wire.gates = slices.DeleteFunc(f.wire.gates, func(g *gate) bool { return g == f.gate })
	if !f.gate.open {
		f.gate.open = true
		close(f.gate.openCh)
	}
}

// Requests returns how many requests of an API key have arrived.
func (b *Broker) Requests(key kmsg.Key) int {
	b.wire.mu.Lock()
	defer b.wire.mu.Unlock()
	return b.wire.counts[key.Int16()]
}

// gate holds requests. Its fields belong to wire.mu.
type gate struct {
	key   int16
	left  int           // requests that it still takes, -1 for all
	delay time.Duration // 0: until it is opened

	hits      int
	open      bool
	openCh    chan struct{}
	changedCh chan struct{} // closed and made anew with each hit
}

func (w *wire) add(g *gate) *Fault {
	g.openCh, g.changedCh = make(chan struct{}), make(chan struct{})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gates = append(w.gates, g)
	return &Fault{gate: g, wire: w}
}

// request counts a request and waits at its gate.
func (w *wire) request(key int16, connClosedCh <-chan struct{}) {
	w.mu.Lock()
	w.counts[key]++
	i := slices.IndexFunc(w.gates, func(g *gate) bool { return g.key == key && g.left != 0 })
	if i < 0 {
		w.mu.Unlock()
		return
	}
	g := w.gates[i]
	if g.left > 0 {
		g.left--
	}
	g.hits++
	close(g.changedCh)
	g.changedCh = make(chan struct{})
	w.mu.Unlock()

	var timerCh <-chan time.Time
	if g.delay > 0 {
		timer := time.NewTimer(g.delay)
		defer timer.Stop()
		timerCh = timer.C
	}
	select {
	case <-g.openCh:
	case <-timerCh:
	case <-connClosedCh:
	}
}
