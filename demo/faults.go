package demo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

// errFlaky is the injected failure that the next run does not meet.
var errFlaky = errors.New("injected: a service did not answer")

// OutageError is the injected failure that stays for some seconds.
type OutageError struct {
	// Left is the time until it is mended.
	Left time.Duration
}

// Error implements error.
func (e *OutageError) Error() string {
	return fmt.Sprintf("injected: data store out of order, mended in %.0fs", e.Left.Seconds())
}

// faults is the middleware that makes the demo's processor fail: a share of all
// runs, and for a while every run of one partition, whose head so blocks it.
type faults struct {
	// share of the runs that fail.
	share float64
	// from and to bound the outage; it strikes the partition whose message is the
	// first to run in it.
	from, to time.Time
	now      func() time.Time

	injected atomic.Int64

	mu     sync.Mutex
	random *rand.Rand
	struck *processor.Partition
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
	if f.struck == nil {
		f.struck = &part
	}
	if *f.struck != part {
		return nil
	}
	return &OutageError{Left: f.to.Sub(now)}
}

// draw decides whether a run fails, half of the times before the processor and
// half of them after it.
func (f *faults) draw() (before, after bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	x := f.random.Float64()
	return x < f.share/2, x >= f.share/2 && x < f.share
}
