package lane_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

// policy is a lane.Policy that remembers what it was asked.
type policy struct {
	decide func(f lane.Failure) lane.Decision

	mu    sync.Mutex
	asked []lane.Failure
}

// Decide implements lane.Policy.
func (p *policy) Decide(f lane.Failure) lane.Decision {
	p.mu.Lock()
	p.asked = append(p.asked, f)
	p.mu.Unlock()
	return p.decide(f)
}

func (p *policy) failures() []lane.Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// patient retries for ever: one second more after each failure of a kind, or
// what RetryAfter asks for.
func patient(f lane.Failure) lane.Decision {
	switch f.Verdict.Class {
	case processor.ClassStop:
		return lane.Decision{Action: lane.Stop}
	case processor.ClassInfrastructure, processor.ClassConfiguration:
		return lane.Decision{Action: lane.Retry, Wait: time.Duration(f.Troubles) * time.Second, Reason: pause.Delivery}
	default:
		wait := time.Duration(f.Attempt) * time.Second
		if f.Verdict.RetryAfter > 0 {
			wait = f.Verdict.RetryAfter
		}
		return lane.Decision{Action: lane.Retry, Wait: wait, Reason: pause.Retry}
	}
}

// exhausted does action for what is permanent and for the attempt with this
// number, else it is patient.
func exhausted(attempts int, action lane.Action) func(lane.Failure) lane.Decision {
	return func(f lane.Failure) lane.Decision {
		counted := f.Verdict.Class == processor.ClassTransient || f.Verdict.Class == processor.ClassPermanent
		if f.Verdict.Class == processor.ClassPermanent || counted && f.Attempt >= attempts {
			return lane.Decision{Action: action}
		}
		return patient(f)
	}
}

// slots is a lane.Slots over a channel; it counts.
type slots struct {
	free      chan struct{}
	waiting   atomic.Int64
	inUse     atomic.Int64
	most      atomic.Int64
	releases  atomic.Int64
	contended atomic.Bool // says Contended though nobody waits
}

func newSlots(n int) *slots {
	s := &slots{free: make(chan struct{}, n)}
	for range n {
		s.free <- struct{}{}
	}
	return s
}

// Acquire implements lane.Slots.
func (s *slots) Acquire(ctx context.Context) error {
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	select {
	case <-s.free:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	n := s.inUse.Add(1)
	for {
		most := s.most.Load()
		if n <= most || s.most.CompareAndSwap(most, n) {
			return nil
		}
	}
}

// Release implements lane.Slots.
func (s *slots) Release() {
	if s.inUse.Add(-1) < 0 {
		panic("slot given back twice")
	}
	s.releases.Add(1)
	s.free <- struct{}{}
}

// Contended implements lane.Slots.
func (s *slots) Contended() bool { return s.waiting.Load() > 0 || s.contended.Load() }
