package consumerset

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Set is the members of one group in this process.
type Set struct {
	members []*Member
}

// New makes a set. Nothing is connected before Run.
func New(cfg Config) (*Set, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, fmt.Errorf("configure consumers: %w", err)
	}
	s, lanes := &Set{}, newRegistry()
	for i := range cfg.Members {
		s.members = append(s.members, newMember(cfg, i, lanes))
	}
	return s, nil
}

// Run runs all members and blocks until all of them have ended. It returns why
// members failed, or nil after Close. Config.Failed tells of a failure at once; the
// other members go on until Close. Run is called once.
func (s *Set) Run(ctx context.Context) error {
	errs := make([]error, len(s.members))
	var wg sync.WaitGroup
	for i, m := range s.members {
		wg.Go(func() { errs[i] = m.Run(ctx) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Drain is the first step of a stop, for all members at once: see Member.Drain.
func (s *Set) Drain(ctx context.Context) error {
	errs := make([]error, len(s.members))
	var wg sync.WaitGroup
	for i, m := range s.members {
		wg.Go(func() { errs[i] = m.Drain(ctx) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Close is the second step, for all members at once: see Member.Close. Run returns
// after it.
func (s *Set) Close(ctx context.Context) Result {
	r := Result{Members: make([]MemberResult, len(s.members))}
	var wg sync.WaitGroup
	for i, m := range s.members {
		wg.Go(func() { r.Members[i] = m.Close(ctx) })
	}
	wg.Wait()
	return r
}

// Status returns a snapshot of every member. It never waits for one.
func (s *Set) Status() []MemberStatus {
	out := make([]MemberStatus, len(s.members))
	for i, m := range s.members {
		out[i] = m.Status()
	}
	return out
}
