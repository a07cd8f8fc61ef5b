package runner

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// slots bound the running attempts of the process: lane.Slots.
type slots struct {
	sem     *semaphore.Weighted
	waiting atomic.Int64
}

func newSlots(n int) *slots { return &slots{sem: semaphore.NewWeighted(int64(n))} }

// Acquire waits for a slot, first come, first served.
func (s *slots) Acquire(ctx context.Context) error {
	if s.sem.TryAcquire(1) {
		return nil
	}
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	return s.sem.Acquire(ctx, 1)
}

// Release gives a slot back.
func (s *slots) Release() { s.sem.Release(1) }

// Contended tells whether a lane waits for a slot.
func (s *slots) Contended() bool { return s.waiting.Load() > 0 }
