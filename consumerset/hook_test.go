package consumerset_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

func TestHooksComeInOrderAndBeforeAndAfterTheLanes(t *testing.T) {
	t.Parallel()
	r := setup(t, 2)
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
}

func TestAHookThatFailsOrPanicsOrHangsIsAnEvent(t *testing.T) {
	t.Parallel()
	hung := make(chan struct{})
	defer close(hung)
	for name, hook := range map[string]func(context.Context, []processor.Partition) error{
		"error": func(context.Context, []processor.Partition) error { return errors.New("no table") },
		"panic": func(context.Context, []processor.Partition) error { panic("no table") },
		"hang":  func(context.Context, []processor.Partition) error { <-hung; return nil },
	} {
		t.Run(name, func(t *testing.T) {
			r := setup(t, 1)
			r.produce(1, 0, 5)
			cfg := r.config()
			cfg.HookTimeout = 200 * millisecond
			cfg.Hooks.OnAssigned = hook
			unhealthy := make(chan string, 10)
			cfg.Unhealthy = func(reason string, _ error) { unhealthy <- reason }
			s := r.start(cfg)
			one(r, "hook failed", func(e event.HookFailed) bool { return e.Hook == "OnAssigned" })
			if got := <-unhealthy; got != consumerset.ReasonHook {
				t.Errorf("unhealthy: %s", got)
			}
			r.until("5 messages", func() bool { return r.journal.total == 5 })
			s.stop()
		})
	}
}
