package delivery

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// roomSignalEvery bounds how often reports wake the waiting sends: one report
	// event of the client may carry thousands.
	roomSignalEvery = time.Millisecond
	// roomRetryMin and roomRetryMax bound how long a waiting send relies on
	// reports alone. The client frees the room of a record a moment after its
	// report was handed out, so the last report can come too early to help.
	roomRetryMin = time.Millisecond
	roomRetryMax = 100 * time.Millisecond
)

// room tells sends that wait for a place in the client's queue when to try again.
type room struct {
	waiting atomic.Int32

	mu     sync.Mutex
	freed  chan struct{} // closed by the next signal
	closed bool

	last time.Time // of the last signal; owned by the goroutine of the reports
}

// signal wakes all waiting sends, if there are any. It is called for every
// report, on their goroutine.
func (r *room) signal() {
	if r.waiting.Load() == 0 {
		return
	}
	if now := time.Now(); now.Sub(r.last) >= roomSignalEvery {
		r.last = now
		r.wake()
	}
}

func (r *room) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.freed != nil && !r.closed {
		close(r.freed)
		r.freed = nil
	}
}

// close wakes all waiting sends, those of the future too.
func (r *room) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.closed = true
	if r.freed == nil {
		r.freed = make(chan struct{})
	}
	close(r.freed)
}

// next returns the channel that the next signal closes. Take it before the try
// whose failure it shall follow; a signal in between is not missed then.
func (r *room) next() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.freed == nil {
		r.freed = make(chan struct{})
	}
	return r.freed
}
