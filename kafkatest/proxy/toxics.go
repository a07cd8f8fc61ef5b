package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

// toxicKinds is the order of toxics in the chain.
func toxicKinds() []string { return []string{"latency", "bandwidth"} }

// toxicSet drives toxiproxy's chains of toxics, one per direction.
type toxicSet struct {
	server *toxiproxy.ApiServer // never listens; links want it for its metrics
	chain  *toxiproxy.ToxicCollection

	on map[string]map[string]int64 // kind to its attributes; guarded by the proxy
}

func newToxicSet(listen, upstream string) *toxicSet {
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	return &toxicSet{
		server: server,
		chain:  toxiproxy.NewProxy(server, "pitlane", listen, upstream).Toxics,
		on:     map[string]map[string]int64{},
	}
}

// link moves one direction of a connection through the toxics, until src ends; then
// it closes dst.
func (t *toxicSet) link(name string, src io.Reader, dst io.WriteCloser, d stream.Direction) {
	t.chain.StartLink(t.server, name, src, dst, d)
}

// set puts a toxic into both directions, or takes it out when there are no
// attributes. All are taken out first, the last one first: a toxic can only be
// changed when the one behind it takes its bytes.
func (t *toxicSet) set(kind string, attributes map[string]int64) error {
	if err := t.clear(); err != nil {
		return err
	}
	delete(t.on, kind)
	if attributes != nil {
		t.on[kind] = attributes
	}
	for _, kind := range toxicKinds() {
		if attributes, ok := t.on[kind]; ok {
			if err := t.add(kind, attributes); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *toxicSet) add(kind string, attributes map[string]int64) error {
	for _, direction := range []string{"upstream", "downstream"} {
		text, err := json.Marshal(map[string]any{
			"name": toxicName(kind, direction), "type": kind, "stream": direction, "attributes": attributes,
		})
		if err != nil {
			return fmt.Errorf("encode toxic %s: %w", kind, err)
		}
		if _, err := t.chain.AddToxicJson(bytes.NewReader(text)); err != nil {
			return fmt.Errorf("add toxic %s: %w", kind, err)
		}
	}
	return nil
}

// clear takes all toxics out of the chains; those that delay are woken.
func (t *toxicSet) clear() error {
	for _, kind := range slices.Backward(toxicKinds()) {
		for _, direction := range []string{"upstream", "downstream"} {
			err := t.chain.RemoveToxic(context.Background(), toxicName(kind, direction))
			if err != nil && !errors.Is(err, toxiproxy.ErrToxicNotFound) {
				return fmt.Errorf("remove toxic %s: %w", kind, err)
			}
		}
	}
	return nil
}

// reset ends all toxics.
func (t *toxicSet) reset() error {
	clear(t.on)
	return t.clear()
}

func toxicName(kind, direction string) string { return kind + "_" + direction }

// Latency delays every byte by d, plus or minus at most jitter, in each direction:
// a round trip takes twice as long. Zero ends it.
func (p *Proxy) Latency(d, jitter time.Duration) error {
	return p.changeToxics(func() error {
		if d <= 0 && jitter <= 0 {
			return p.toxics.set("latency", nil)
		}
		return p.toxics.set("latency", map[string]int64{"latency": d.Milliseconds(), "jitter": jitter.Milliseconds()})
	})
}

// Bandwidth limits each direction of each connection to that many bytes per second,
// in steps of 1,000. Zero ends it.
func (p *Proxy) Bandwidth(bytesPerSecond int64) error {
	return p.changeToxics(func() error {
		if bytesPerSecond <= 0 {
			return p.toxics.set("bandwidth", nil)
		}
		return p.toxics.set("bandwidth", map[string]int64{"rate": max(bytesPerSecond/1000, 1)})
	})
}

// changeToxics makes the outlets take everything meanwhile: toxiproxy waits, under
// its lock, until each toxic of each link has got rid of the bytes in its hand.
func (p *Proxy) changeToxics(change func() error) error {
	p.toxicsMu.Lock()
	defer p.toxicsMu.Unlock()
	p.relax(true)
	defer p.relax(false)
	return change()
}
