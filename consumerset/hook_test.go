package consumerset_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

func TestHooksComeInOrderAndBeforeAndAfterTheLanes(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 2)
			r.feed = feed
			r.produce(2, 0, 5)
			var mu sync.Mutex
			var calls []string
			note := func(what string) {
				mu.Lock()
				defer mu.Unlock()
				calls = append(calls, what)
			}
			r.journal.hold = func(*processor.Message) { note("message") }
			cfg := r.config()
			cfg.Hooks = consumerset.Hooks{
				OnAssigned: func(_ context.Context, ps []processor.Partition) error {
					for range ps {
						note("assigned")
					}
					return nil
				},
				OnRevoked: func(_ context.Context, ps []processor.Partition) {
					for range ps {
						note("revoked")
					}
				},
			}
			s := r.start(cfg)
			r.until("10 messages", func() bool { return r.journal.total == 10 })
			s.stop()
			want := []string{"assigned", "assigned"}
			for range 10 {
				want = append(want, "message")
			}
			want = append(want, "revoked", "revoked")
			if !slices.Equal(calls, want) {
				t.Errorf("calls %v", calls)
			}
		})
	}
}

func TestAHookThatFailsOrPanicsOrHangsIsAnEvent(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			hung := make(chan struct{})
			defer close(hung)
			for name, hook := range map[string]struct {
				text string
				call func(context.Context, []processor.Partition) error
			}{
				"error": {"no table", func(context.Context, []processor.Partition) error { return errors.New("no table") }},
				"panic": {"panic: no table", func(context.Context, []processor.Partition) error { panic("no table") }},
				"hang":  {"did not return before its deadline", func(context.Context, []processor.Partition) error { <-hung; return nil }},
			} {
				t.Run(name, func(t *testing.T) {
					r := setup(t, 1)
					r.feed = feed
					r.produce(1, 0, 5)
					cfg := r.config()
					cfg.HookTimeout = 200 * millisecond
					cfg.Hooks.OnAssigned = hook.call
					unhealthy := make(chan string, 10)
					cfg.Unhealthy = func(reason string, _ error) { unhealthy <- reason }
					s := r.start(cfg)
					failed := one(r, "hook failed", func(e event.HookFailed) bool { return e.Hook == "OnAssigned" })
					if text := failed.Cause.Error(); text != hook.text {
						t.Errorf("cause %q", text)
					}
					if got := <-unhealthy; got != consumerset.ReasonHook {
						t.Errorf("unhealthy: %s", got)
					}
					r.until("5 messages", func() bool { return r.journal.total == 5 })
					s.stop()
				})
			}
		})
	}
}

// failures returns what was told of hooks so far.
func (r *rig) failures() (out []event.HookFailed) {
	r.events.mu.Lock()
	defer r.events.mu.Unlock()
	for _, ev := range r.events.list {
		if e, ok := ev.(event.HookFailed); ok {
			out = append(out, e)
		}
	}
	return out
}

// overran checks that exactly one hook failed, OnRevoked at its deadline.
func (r *rig) overran() {
	r.t.Helper()
	told := r.failures()
	if len(told) != 1 || told[0].Hook != "OnRevoked" || !errors.Is(told[0].Cause, consumerset.ErrHookOverran) {
		r.t.Errorf("told %+v", told)
	}
}

// hangs is an OnRevoked that does not return before the test's end, whatever its
// context says.
func hangs(t *testing.T) func(context.Context, []processor.Partition) {
	t.Helper()
	hung := make(chan struct{})
	t.Cleanup(func() { close(hung) })
	return func(context.Context, []processor.Partition) { <-hung }
}

func TestAnOnRevokedThatNeverReturnsIsToldOnceInARevokeAndHoldsItUpForNoLonger(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 2)
			r.feed = feed
			r.produce(2, 0, 10)
			cfg := r.rangeConfig() // every rebalance takes everything back
			cfg.Drain = 200 * millisecond
			other := named(cfg, "other")
			cfg.Hooks.OnRevoked = hangs(t)
			s := r.start(cfg)
			r.until("20 messages", func() bool { return r.journal.total == 20 })
			o := r.start(other)
			one(r, "assignment of the other", func(e event.PartitionAssigned) bool { return e.Member == "other" })
			r.overran()
			if res := o.stop(); res.Outcome() != consumerset.Clean {
				t.Errorf("the other ended %v", res)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			s.Close(ctx)
			if err := <-s.err; err != nil {
				t.Errorf("run: %v", err)
			}
			r.check()
			if at := r.committed(); at[0] != 10 || at[1] != 10 {
				t.Errorf("committed %v", at)
			}
		})
	}
}

// The time for the drain is over before the hook's own: what ends the member ends
// the wait for the hook, and says so before the set has ended.
func TestAnOnRevokedThatNeverReturnsIsToldOnceAtAStop(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			for name, drain := range map[string]bool{"drained": true, "closed at once": false} {
				t.Run(name, func(t *testing.T) {
					r := setup(t, 2)
					r.feed = feed
					r.produce(2, 0, 10)
					cfg := r.config()
					cfg.Hooks.OnRevoked = hangs(t)
					s := r.start(cfg)
					r.until("20 messages", func() bool { return r.journal.total == 20 })
					if drain {
						ctx, cancel := context.WithTimeout(t.Context(), 300*millisecond)
						defer cancel()
						if err := s.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
							t.Errorf("drain: %v", err)
						}
					}
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					if res := s.Close(ctx); drain && res.Outcome() != consumerset.Clean {
						t.Errorf("ended %v: %+v", res.Outcome(), res)
					}
					r.overran()
					if err := <-s.err; err != nil {
						t.Errorf("run: %v", err)
					}
					if at := r.committed(); at[0] != 10 || at[1] != 10 {
						t.Errorf("committed %v", at)
					}
				})
			}
		})
	}
}

// A panic's text is short; its stack is that of where it began, also when it was
// caught on its way and raised again.
func TestAPanicOfAHookKeepsItsStackOutOfItsText(t *testing.T) {
	t.Parallel()
	r := setup(t, 1)
	cfg := r.config()
	cfg.Hooks.OnAssigned = func(ctx context.Context, _ []processor.Partition) error {
		first := processor.Call(ctx, processor.Func(breaks), nil)
		panic(fmt.Errorf("tell of partitions: %w", first))
	}
	s := r.start(cfg)
	failed := one(r, "hook failed", func(e event.HookFailed) bool { return e.Hook == "OnAssigned" })
	p, ok := errors.AsType[*processor.PanicError](failed.Cause)
	if !ok || failed.Cause.Error() != "tell of partitions: panic: no table" {
		t.Fatalf("cause %q", failed.Cause)
	}
	if !strings.Contains(string(p.Stack), "breaks(") {
		t.Errorf("stack %s", p.Stack)
	}
	s.stop()
}

func breaks(context.Context, *processor.Message) error { panic("no table") }
