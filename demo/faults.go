package demo

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

// errFlaky is the injected failure that the next run does not meet.
var errFlaky = errors.New("injected: a service did not answer")

// errOutage is the injected failure that stays for some seconds.
var errOutage = errors.New("injected: the data store is out of order")

// faults is the middleware that makes the demo's processor fail: a share of all
// runs, and for a while every run of one partition, whose head so blocks it.
type faults struct {
	// share of the runs that fail.
	share float64
	// from and to bound the outage. It strikes the partition that victim names when
	// the first run meets it.
	from, to time.Time
	now      func() time.Time
	victim   func() int32

	injected atomic.Int64

	mu     sync.Mutex
	random *rand.Rand
	struck *int32
	mended bool
}

// middleware implements processor.Middleware.
func (f *faults) middleware(inner processor.Processor) processor.Processor {
	return processor.Func(func(ctx context.Context, m *processor.Message) error {
		if err := f.outage(m.TopicPartition()); err != nil {
			f.injected.Add(1)
			return err
		}
		before, after := f.draw()
		if before {
			f.injected.Add(1)
			return errFlaky
		}
		err := inner.Process(ctx, m)
		if err == nil && after {
			f.injected.Add(1)
			// The alert is on its way already, and comes again: a duplicate.
			return errFlaky
		}
		return err
	})
}

func (f *faults) outage(part processor.Partition) error {
	now := f.now()
	if now.Before(f.from) || !now.Before(f.to) {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.mended {
		return nil
	}
	if f.struck == nil {
		victim := f.victim()
		f.struck = &victim
	}
	if *f.struck != part.Partition {
		return nil
	}
	return errOutage
}

// mend ends the outage, also before its time: nobody who stops the demo early
// wants to wait for it.
func (f *faults) mend() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.mended = true
}

// draw decides whether a run fails, half of the times before the processor and
// half of them after it.
func (f *faults) draw() (before, after bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x := f.random.Float64()
	return x < f.share/2, x >= f.share/2 && x < f.share
}
