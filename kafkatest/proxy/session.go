package proxy

import (
	"bufio"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Shopify/toxiproxy/v2/stream"
)

// session is one client's connection and the one to the broker that belongs to it.
type session struct {
	// set at construction
	proxy    *Proxy
	id       string
	client   *net.TCPConn
	upstream *net.TCPConn
	exchange *exchange
	toBroker *pipe // from the hook to the toxics
	toClient *pipe // from the outlet to the hook
	up, down *outlet

	raw    atomic.Bool // no frames: pass bytes
	cutFn  func()
	doneCh chan struct{} // closed when the session was cut or has ended
	timer  *time.Timer   // of ResetAfter; guarded by the proxy's mutex
}

// pipe joins a writer and a reader without a buffer.
type pipe struct {
	*io.PipeReader
	w *io.PipeWriter
}

func newPipe() *pipe {
	r, w := io.Pipe()
	return &pipe{r, w}
}

func newSession(p *Proxy, id string, client, upstream *net.TCPConn) *session {
	s := &session{
		proxy: p, id: id, client: client, upstream: upstream,
		exchange: &exchange{client: client},
		toBroker: newPipe(), toClient: newPipe(),
		doneCh: make(chan struct{}),
	}
	s.raw.Store(p.cfg.Raw)
	s.up = newOutlet(upstream, func() { _ = upstream.CloseWrite() })
	s.down = newOutlet(s.toClient.w, func() { _ = s.toClient.w.Close() })
	s.cutFn = sync.OnceFunc(s.cutOnce)
	return s
}

// run returns when both directions have ended.
func (s *session) run() {
	toxics := s.proxy.toxics
	toxics.link(s.id+" up", s.toBroker, s.up, stream.Upstream)
	toxics.link(s.id+" down", s.upstream, s.down, stream.Downstream)
	var wg sync.WaitGroup
	wg.Go(s.up.run)
	wg.Go(s.down.run)
	wg.Go(func() {
		s.requests()
		_ = s.toBroker.w.Close()
	})
	wg.Go(func() {
		s.responses()
		// Nothing more can reach the client: unblock what still comes for it.
		_ = s.toClient.CloseWithError(net.ErrClosed)
		_ = s.client.Close()
	})
	wg.Wait()
	s.cutFn()
}

// cut resets both connections.
func (s *session) cut() { s.cutFn() }

func (s *session) cutOnce() {
	close(s.doneCh)
	for _, c := range []*net.TCPConn{s.client, s.upstream} {
		_ = c.SetLinger(0) // makes Close send a reset; after an orderly end it has no effect
		_ = c.Close()
	}
	s.up.kill()
	s.down.kill()
	_ = s.toBroker.CloseWithError(net.ErrClosed)
	_ = s.toClient.CloseWithError(net.ErrClosed)
}

// requests passes what the client sends, until it sends no more.
func (s *session) requests() {
	in := bufio.NewReaderSize(s.client, 64<<10)
	for !s.raw.Load() {
		frame, err := readFrame(in)
		var r *Request
		if err == nil {
			r, err = parseRequest(frame)
		}
		switch {
		case errors.Is(err, errNotAFrame):
			s.raw.Store(true) // before a byte goes on: the responses will not be frames either
			if _, err := s.toBroker.w.Write(frame); err != nil {
				return
			}
		case err != nil:
			return
		default:
			if s.request(r) != nil {
				return
			}
		}
	}
	_, _ = io.Copy(s.toBroker.w, in)
}

func (s *session) request(r *Request) error {
	r.Broker, r.done = s.proxy.cfg.Broker, s.doneCh
	s.proxy.hooks.count(r.Key)
	action := s.proxy.hooks.request(r)
	if err := s.await(action); err != nil {
		return err
	}
	switch action.kind {
	case actionDrop:
		return nil
	case actionAnswer:
		return s.exchange.answered(r, responseFrame(r, action.response))
	case actionDisconnect:
		s.cut()
		return net.ErrClosed
	case actionRewrite:
		frame := requestFrame(r, action.request)
		var err error
		if r, err = parseRequest(frame); err != nil {
			return err
		}
		r.Broker, r.done = s.proxy.cfg.Broker, s.doneCh
	case actionPass, actionHold:
	}
	if !r.unanswered() {
		s.exchange.sent(r)
	}
	_, err := s.toBroker.w.Write(r.frame)
	return err
}

// responses passes what the broker sends, until it sends no more.
func (s *session) responses() {
	in := bufio.NewReaderSize(s.toClient, 64<<10)
	for {
		head, err := in.Peek(1)
		if err != nil || len(head) == 0 {
			return
		}
		if s.raw.Load() {
			_, _ = io.Copy(s.client, in)
			return
		}
		frame, err := readFrame(in)
		switch {
		case errors.Is(err, errNotAFrame):
			s.raw.Store(true)
			err = s.exchange.pass(frame)
		case err == nil:
			err = s.response(frame)
		}
		if err != nil {
			return
		}
	}
}

func (s *session) response(frame []byte) error {
	req := s.exchange.find(correlationOf(frame))
	if req == nil {
		return s.exchange.pass(frame)
	}
	action := s.proxy.hooks.response(parseResponse(frame, req))
	if err := s.await(action); err != nil {
		return err
	}
	switch action.kind {
	case actionDrop:
		frame = nil
	case actionAnswer:
		frame = responseFrame(req, action.response)
	case actionDisconnect:
		s.cut()
		return net.ErrClosed
	case actionRewrite:
		panic("proxy: Rewrite from a response hook: use Answer")
	case actionPass, actionHold:
	}
	return s.exchange.received(req, frame)
}

// await returns when a held frame may go on.
func (s *session) await(a Action) error {
	if a.kind != actionHold {
		return nil
	}
	select {
	case <-a.release:
		return nil
	case <-s.doneCh:
		return net.ErrClosed
	}
}
