package proxy

import (
	"io"
	"sync"
)

// outletBytes is how much an outlet takes before it makes the toxics wait. Beyond
// it the kernel's buffers fill, as with a slow peer.
const outletBytes = 1 << 20

// outlet is where one direction of a connection leaves the toxics. It holds the
// bytes of a black-holed direction. Its Write never fails, and while the toxics are
// changed it never waits: both would leave toxiproxy's goroutines behind.
type outlet struct {
	// set at construction
	dst        io.Writer
	finishFunc func() // tells dst that no more comes
	closedCh   chan struct{}

	mu      sync.Mutex
	cond    *sync.Cond
	queue   [][]byte
	size    int
	ended   bool // the toxics have passed the end of the stream
	held    bool // black-holed
	relaxed bool // takes any amount
	dead    bool // dst is gone: bytes are thrown away
}

func newOutlet(dst io.Writer, finish func()) *outlet {
	o := &outlet{dst: dst, finishFunc: finish, closedCh: make(chan struct{})}
	o.cond = sync.NewCond(&o.mu)
	return o
}

// Write takes bytes from the toxics.
func (o *outlet) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.size >= outletBytes && !o.relaxed && !o.dead {
		o.cond.Wait()
	}
	if !o.dead {
		o.queue = append(o.queue, append([]byte(nil), b...))
		o.size += len(b)
		o.cond.Broadcast()
	}
	return len(b), nil
}

// Close is called by the toxics once, at the end of the stream.
func (o *outlet) Close() error {
	o.set(func() { o.ended = true })
	close(o.closedCh)
	return nil
}

func (o *outlet) hold(on bool)  { o.set(func() { o.held = on }) }
func (o *outlet) relax(on bool) { o.set(func() { o.relaxed = on }) }

// kill throws away what is held and what comes.
func (o *outlet) kill() { o.set(func() { o.dead, o.queue, o.size = true, nil, 0 }) }

func (o *outlet) set(change func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change()
	o.cond.Broadcast()
}

// run writes to dst until the end of the stream, or of dst, and until the toxics
// are done with the outlet.
func (o *outlet) run() {
	for {
		b, more := o.next()
		if !more {
			break
		}
		if _, err := o.dst.Write(b); err != nil {
			o.kill()
		}
	}
	o.finishFunc()
	<-o.closedCh
}

func (o *outlet) next() ([]byte, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for !o.dead && (o.held || (len(o.queue) == 0 && !o.ended)) {
		o.cond.Wait()
	}
	if o.dead || len(o.queue) == 0 {
		return nil, false
	}
	b := o.queue[0]
	o.queue = o.queue[1:]
	o.size -= len(b)
	o.cond.Broadcast()
	return b, true
}
