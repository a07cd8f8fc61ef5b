package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// dialTimeout bounds a connection to the broker.
const dialTimeout = 5 * time.Second

// Proxy stands between clients and one broker.
type Proxy struct {
	// set at construction
	cfg    Config
	addr   string
	toxics *toxicSet
	ctx    context.Context //nolint:containedctx // ends with Close, for dials under way
	cancel context.CancelFunc
	hooks  hooks

	toxicsMu sync.Mutex // one change at a time; taken before mu
	stateMu  sync.Mutex // one change of the listener at a time; taken before mu

	// guarded by stateMu
	acceptor *acceptor  // while it accepts
	full     *fullQueue // while it drops SYNs

	accepted atomic.Int64

	mu         sync.Mutex
	state      state
	sessions   map[*session]struct{}
	held       [2]bool // by Direction
	relaxed    bool
	resetAfter time.Duration // 0: off
	wg         sync.WaitGroup
}

// state is what the listener does.
type state int

const (
	stateAccepting state = iota
	stateRefusing
	stateSilent
	stateClosed
)

// Start makes a proxy for one test and closes it at the test's end.
func Start(t testing.TB, cfg Config) *Proxy {
	t.Helper()
	p, err := New(cfg)
	if err != nil {
		t.Fatalf("start proxy: %v", err)
	}
	t.Cleanup(p.Close)
	return p
}

// New makes a proxy that passes everything. The caller has to call Close.
func New(cfg Config) (*Proxy, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	p := &Proxy{cfg: cfg, toxics: newToxicSet(cfg.Listen, cfg.Upstream), sessions: map[*session]struct{}{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	a, err := listen(cfg.Listen, p.accept)
	if err != nil {
		p.cancel()
		return nil, err
	}
	p.acceptor, p.addr = a, a.ln.Addr().String()
	return p, nil
}

// Addr is where the proxy listens.
func (p *Proxy) Addr() string { return p.addr }

// Accepted is how many connections the proxy has taken so far.
func (p *Proxy) Accepted() int64 { return p.accepted.Load() }

// Close resets all connections and returns when nothing of the proxy runs any more.
func (p *Proxy) Close() {
	p.stateMu.Lock()
	defer p.stateMu.Unlock()
	p.setState(stateClosed)
	p.cancel()
	p.stopListening()
	p.cutAll()
	_ = p.changeToxics(p.toxics.reset) // wakes those that delay
	p.wg.Wait()
}

// accept is called for each new connection, one after the other.
func (p *Proxy) accept(client *net.TCPConn) {
	n := p.accepted.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != stateAccepting {
		resetConn(client)
		return
	}
	p.wg.Go(func() { p.serve(client, strconv.FormatInt(n, 10)) })
}

func (p *Proxy) serve(client *net.TCPConn, id string) {
	dialer := net.Dialer{Timeout: dialTimeout}
	conn, err := dialer.DialContext(p.ctx, "tcp", p.cfg.Upstream)
	upstream, ok := conn.(*net.TCPConn)
	if err != nil || !ok {
		resetConn(client)
		return
	}
	s := newSession(p, id, client, upstream)
	if !p.enter(s) {
		s.cut()
		return
	}
	s.run()
	p.leave(s)
}

// enter gives a new session the faults that are on. It is false when there is no
// place for it any more.
func (p *Proxy) enter(s *session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != stateAccepting && p.state != stateSilent {
		return false
	}
	s.up.hold(p.held[Upstream])
	s.down.hold(p.held[Downstream])
	s.up.relax(p.relaxed)
	s.down.relax(p.relaxed)
	p.armReset(s)
	p.sessions[s] = struct{}{}
	return true
}

func (p *Proxy) leave(s *session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
	}
	delete(p.sessions, s)
}

// relax makes the outlets take everything, or no more.
func (p *Proxy) relax(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.relaxed = on
	for s := range p.sessions {
		s.up.relax(on)
		s.down.relax(on)
	}
}

// cutAll resets the connections of the moment.
func (p *Proxy) cutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.sessions {
		s.cut()
	}
}

// setState returns the state before.
func (p *Proxy) setState(to state) state {
	p.mu.Lock()
	defer p.mu.Unlock()
	from := p.state
	if from != stateClosed {
		p.state = to
	}
	return from
}

// stopListening is called with stateMu, never with mu: it waits for accept.
func (p *Proxy) stopListening() {
	if p.acceptor != nil {
		p.acceptor.close()
		p.acceptor = nil
	}
	if p.full != nil {
		p.full.close()
		p.full = nil
	}
}

// resume is called with stateMu.
func (p *Proxy) resume() error {
	if p.acceptor != nil {
		return nil
	}
	p.stopListening()
	if p.setState(stateAccepting) == stateClosed {
		return ErrClosed
	}
	a, err := listen(p.addr, p.accept)
	if err != nil {
		p.setState(stateRefusing)
		return errors.Join(fmt.Errorf("resume proxy at %s", p.addr), err)
	}
	p.acceptor = a
	return nil
}

func resetConn(c *net.TCPConn) {
	_ = c.SetLinger(0)
	_ = c.Close()
}
