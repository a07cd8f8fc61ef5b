package proxy

import (
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Catch holds the first frame of a kind: wait for Caught, do what has to happen
// meanwhile, then Release.
type Catch struct {
	caughtCh  chan *Request // one place: the only frame
	releaseCh chan struct{}
	release   func()
	take      sync.Once
}

// CatchRequest holds the next request of the given kind.
func (p *Proxy) CatchRequest(key kmsg.Key) *Catch {
	c := newCatch()
	c.until(p.OnRequest(key, c.request))
	return c
}

// CatchResponse holds the next response to a request of the given kind.
func (p *Proxy) CatchResponse(key kmsg.Key) *Catch {
	c := newCatch()
	c.until(p.OnResponse(key, c.response))
	return c
}

func newCatch() *Catch {
	return &Catch{caughtCh: make(chan *Request, 1), releaseCh: make(chan struct{})}
}

// Caught yields the held request, or the one whose response is held.
func (c *Catch) Caught() <-chan *Request { return c.caughtCh }

// Release lets the frame go on and ends the hook, whether or not it held something.
func (c *Catch) Release() { c.release() }

func (c *Catch) until(off func()) {
	c.release = sync.OnceFunc(func() {
		off()
		close(c.releaseCh)
	})
}

func (c *Catch) request(r *Request) Action {
	action := Pass()
	c.take.Do(func() {
		c.caughtCh <- r
		action = Hold(c.releaseCh)
	})
	return action
}

func (c *Catch) response(r *Response) Action { return c.request(r.Request) }
