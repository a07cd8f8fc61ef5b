package proxy

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Set is the proxies before all brokers of a cluster. Its methods do for each what
// Proxy's do for one.
type Set struct{ proxies []*Proxy }

// StartSet makes the proxies for one test and closes them at the test's end.
func StartSet(t testing.TB, cfg SetConfig) *Set {
	t.Helper()
	s, err := NewSet(cfg)
	if err != nil {
		t.Fatalf("start proxies: %v", err)
	}
	t.Cleanup(s.Close)
	return s
}

// NewSet makes proxies that pass everything. The caller has to call Close.
func NewSet(cfg SetConfig) (*Set, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &Set{}
	for i := range cfg.Listen {
		p, err := New(Config{Listen: cfg.Listen[i], Upstream: cfg.Upstream[i], Broker: i + 1})
		if err != nil {
			s.Close()
			return nil, fmt.Errorf("proxy of broker %d: %w", i+1, err)
		}
		s.proxies = append(s.proxies, p)
	}
	return s, nil
}

// Broker is the proxy before one broker; ids begin at 1.
func (s *Set) Broker(id int) *Proxy { return s.proxies[id-1] }

// Bootstrap are the addresses of all proxies.
func (s *Set) Bootstrap() []string {
	var out []string
	for _, p := range s.proxies {
		out = append(out, p.Addr())
	}
	return out
}

// Close closes all proxies.
func (s *Set) Close() { s.each((*Proxy).Close) }

// Refuse refuses connections to all brokers.
func (s *Set) Refuse() { s.each((*Proxy).Refuse) }

// Accept ends Refuse and DropSYN.
func (s *Set) Accept() error { return s.try((*Proxy).Accept) }

// Disconnect resets all connections once.
func (s *Set) Disconnect() { s.each((*Proxy).Disconnect) }

// Blackhole stops the bytes to and from all brokers.
func (s *Set) Blackhole(directions ...Direction) {
	s.each(func(p *Proxy) { p.Blackhole(directions...) })
}

// DropSYN cuts all brokers off.
func (s *Set) DropSYN() error { return s.try((*Proxy).DropSYN) }

// ResetAfter resets connections when they are d old.
func (s *Set) ResetAfter(d time.Duration) { s.each(func(p *Proxy) { p.ResetAfter(d) }) }

// Latency delays every byte in each direction.
func (s *Set) Latency(d, jitter time.Duration) error {
	return s.try(func(p *Proxy) error { return p.Latency(d, jitter) })
}

// Bandwidth limits each direction of each connection.
func (s *Set) Bandwidth(bytesPerSecond int64) error {
	return s.try(func(p *Proxy) error { return p.Bandwidth(bytesPerSecond) })
}

// Heal ends all faults.
func (s *Set) Heal() error { return s.try((*Proxy).Heal) }

// OnRequest calls f for every request of the given kind to any broker.
func (s *Set) OnRequest(key kmsg.Key, f func(*Request) Action) (off func()) {
	return s.hook(func(p *Proxy) func() { return p.OnRequest(key, f) })
}

// OnResponse calls f for every response of any broker to requests of the given
// kind.
func (s *Set) OnResponse(key kmsg.Key, f func(*Response) Action) (off func()) {
	return s.hook(func(p *Proxy) func() { return p.OnResponse(key, f) })
}

// CatchRequest holds the next request of the given kind, whichever broker it is
// for.
func (s *Set) CatchRequest(key kmsg.Key) *Catch {
	c := newCatch()
	c.until(s.OnRequest(key, c.request))
	return c
}

// CatchResponse holds the next response to a request of the given kind.
func (s *Set) CatchResponse(key kmsg.Key) *Catch {
	c := newCatch()
	c.until(s.OnResponse(key, c.response))
	return c
}

// Requests is how many requests of the given kind were sent to all brokers.
func (s *Set) Requests(key kmsg.Key) int64 {
	var sum int64
	for _, p := range s.proxies {
		sum += p.Requests(key)
	}
	return sum
}

func (s *Set) each(f func(*Proxy)) {
	for _, p := range s.proxies {
		f(p)
	}
}

func (s *Set) try(f func(*Proxy) error) error {
	var errs []error
	for i, p := range s.proxies {
		if err := f(p); err != nil {
			errs = append(errs, fmt.Errorf("proxy of broker %d: %w", i+1, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Set) hook(add func(*Proxy) func()) func() {
	var offs []func()
	for _, p := range s.proxies {
		offs = append(offs, add(p))
	}
	return func() {
		for _, off := range offs {
			off()
		}
	}
}
