package proxy

import (
	"errors"
	"time"
)

// Direction is one way through the proxy.
type Direction int

// The two directions.
const (
	Upstream   Direction = iota // from the client to the broker
	Downstream                  // from the broker to the client
)

// Refuse closes the listener and resets all connections: new ones are refused.
func (p *Proxy) Refuse() {
	p.stateMu.Lock()
	defer p.stateMu.Unlock()
	p.setState(stateRefusing)
	p.stopListening()
	p.cutAll()
}

// Accept ends Refuse and DropSYN. Connections that DropSYN holds stay held until
// Heal.
func (p *Proxy) Accept() error {
	p.stateMu.Lock()
	defer p.stateMu.Unlock()
	return p.resume()
}

// Disconnect resets all connections of the moment, once.
func (p *Proxy) Disconnect() { p.cutAll() }

// Blackhole stops the bytes in the given directions, in both when none is given;
// connections stay open and new ones are accepted. The bytes flow on Heal. What a
// hook answers does not cross the network and reaches the client.
func (p *Proxy) Blackhole(directions ...Direction) {
	if len(directions) == 0 {
		directions = []Direction{Upstream, Downstream}
	}
	p.hold(true, directions...)
}

// DropSYN is Blackhole for a host that is cut off: new connections get no answer at
// all.
func (p *Proxy) DropSYN() error {
	p.hold(true, Upstream, Downstream)
	p.stateMu.Lock()
	defer p.stateMu.Unlock()
	if p.full != nil {
		return nil
	}
	if p.setState(stateSilent) == stateClosed {
		return ErrClosed
	}
	p.stopListening()
	full, err := newFullQueue(p.addr)
	if err != nil {
		p.setState(stateRefusing)
		return err
	}
	p.full = full
	return nil
}

// ResetAfter resets every connection d after this call, and every new one d after
// it began. Zero ends it.
func (p *Proxy) ResetAfter(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.resetAfter = d
	for s := range p.sessions {
		p.armReset(s)
	}
}

// Heal ends all faults: held bytes flow, connections are accepted. Hooks stay.
func (p *Proxy) Heal() error {
	p.ResetAfter(0)
	err := errors.Join(p.changeToxics(p.toxics.reset), p.Accept())
	p.hold(false, Upstream, Downstream)
	return err
}

func (p *Proxy) hold(on bool, directions ...Direction) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range directions {
		p.held[d] = on
	}
	for s := range p.sessions {
		s.up.hold(p.held[Upstream])
		s.down.hold(p.held[Downstream])
	}
}

// armReset is called with mu.
func (p *Proxy) armReset(s *session) {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if p.resetAfter > 0 {
		s.timer = time.AfterFunc(p.resetAfter, s.cut)
	}
}
