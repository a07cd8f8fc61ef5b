package lane

import (
	"context"
	"sync"

	"github.com/pitlane-go/pitlane/processor"
)

// run is one run of the processor on a unit. The messages of the unit are bound
// to it, so a Send after the run has ended finds it ended, whatever runs then.
type run struct {
	sender Sender

	mu    sync.Mutex
	ended bool
	att   Attempt
}

// Send implements processor.Sender.
func (r *run) Send(ctx context.Context, index int, rec processor.Record) error {
	r.mu.Lock()
	if r.ended {
		r.mu.Unlock()
		return processor.ErrAttemptEnded
	}
	if r.att == nil {
		r.att = r.sender.Begin()
	}
	att := r.att
	r.mu.Unlock()
	return att.Send(ctx, index, rec)
}

// close lets no further record in and returns the attempt, nil if nothing was
// sent.
func (r *run) close() Attempt {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	return r.att
}
