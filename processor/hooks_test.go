package processor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/processor"
)

// hooked has every hook and notes the calls as "name verb".
type hooked struct {
	name   string
	log    *[]string
	failAt string
}

func (h *hooked) note(verb string) error {
	*h.log = append(*h.log, h.name+" "+verb)
	switch h.failAt {
	case verb:
		return fmt.Errorf("%s fails: %w", h.name, errPlain)
	case "panic " + verb:
		panic(h.name)
	}
	return nil
}

func (h *hooked) Process(context.Context, *processor.Message) error { return nil }
func (h *hooked) Setup(_ context.Context, env processor.Env) error {
	return h.note("setup " + env.Group)
}

// Teardown notes also when its context has ended: then nothing could be torn down.
func (h *hooked) Teardown(ctx context.Context) error {
	if ctx.Err() != nil {
		return h.note("teardown too late")
	}
	return h.note("teardown")
}

func (h *hooked) OnRevoked(_ context.Context, p []processor.Partition) {
	_ = h.note(fmt.Sprint("revoked ", p))
}

func (h *hooked) OnLost(_ context.Context, p []processor.Partition) {
	_ = h.note(fmt.Sprint("lost ", p))
}
func (h *hooked) Config() any { return h }
func (h *hooked) OnAssigned(_ context.Context, p []processor.Partition) error {
	return h.note(fmt.Sprint("assigned ", p))
}

// layer is a middleware value that has hooks and can be unwrapped.
type layer struct {
	*hooked
	inner processor.Processor
}

func (l *layer) Unwrap() processor.Processor { return l.inner }

func (l *layer) Process(ctx context.Context, m *processor.Message) error {
	return l.inner.Process(ctx, m)
}

// over is the middleware that puts a layer around a processor.
func over(h *hooked) processor.Middleware {
	return func(inner processor.Processor) processor.Processor { return &layer{h, inner} }
}

// unwrapper is a middleware of a user's own.
type unwrapper struct{ processor.Processor }

func (u unwrapper) Unwrap() processor.Processor { return u.Processor }

func equal(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("calls:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestHooksAreFoundThroughWrappersOnceAndInOrder(t *testing.T) {
	var log []string
	a, b, c := &hooked{name: "a", log: &log}, &hooked{name: "b", log: &log}, &hooked{name: "c", log: &log}
	p := processor.Wrap(processor.ByTopic(map[string]processor.Processor{
		"x": unwrapper{a},
		"y": a,
		"z": processor.JSON(func(context.Context, *processor.Message, *int) error { return nil }, processor.WithHooks(b)),
	}), over(c))
	h := processor.Hooks(p)
	if err := h.Setup(t.Context(), processor.Env{Group: "g"}); err != nil {
		t.Fatal(err)
	}
	if err := h.Teardown(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, log, "c setup g", "a setup g", "b setup g", "b teardown", "a teardown", "c teardown")
	if got := h.Configs(); !slices.Equal(got, []any{c, a, b}) {
		t.Errorf("configs %v", got)
	}
}

func TestHooksBehindByTopicGetTheirPartitionsOnly(t *testing.T) {
	var log []string
	shared, x, outer := &hooked{name: "shared", log: &log}, &hooked{name: "x", log: &log}, &hooked{name: "all", log: &log}
	route := processor.ByTopic(map[string]processor.Processor{"x": x, "y": shared, "z": shared})
	h := processor.Hooks(processor.Wrap(route, over(outer)))
	parts := []processor.Partition{partition("z", 0), partition("y", 1)}
	if err := h.OnAssigned(t.Context(), parts); err != nil {
		t.Fatal(err)
	}
	equal(t, log, "all assigned [{z 0} {y 1}]", "shared assigned [{z 0} {y 1}]")
	log = nil
	if err := errors.Join(h.OnRevoked(t.Context(), parts[1:]), h.OnLost(t.Context(), []processor.Partition{partition("x", 2)})); err != nil {
		t.Fatal(err)
	}
	equal(t, log, "all revoked [{y 1}]", "shared revoked [{y 1}]", "all lost [{x 2}]", "x lost [{x 2}]")
}

func TestHooksOfAValueThatServesAllTopicsBesideARouteGetAllPartitions(t *testing.T) {
	var log []string
	a := &hooked{name: "a", log: &log}
	typed := processor.JSON(func(context.Context, *processor.Message, *int) error { return nil }, processor.WithHooks(a))
	h := processor.Hooks(processor.Wrap(typed, func(inner processor.Processor) processor.Processor {
		return processor.ByTopic(map[string]processor.Processor{"x": inner})
	}))
	if err := h.OnAssigned(t.Context(), []processor.Partition{partition("y", 0)}); err != nil {
		t.Fatal(err)
	}
	equal(t, log, "a assigned [{y 0}]")
}

func TestSetupThatFailsTearsDownWhatWasSetUp(t *testing.T) {
	var log []string
	a, b, c := &hooked{name: "a", log: &log, failAt: "teardown"}, &hooked{name: "b", log: &log, failAt: "setup g"}, &hooked{name: "c", log: &log}
	h := processor.Hooks(processor.ByTopic(map[string]processor.Processor{"a": a, "b": b, "c": c}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := h.Setup(ctx, processor.Env{Group: "g"})
	equal(t, log, "a setup g", "b setup g", "a teardown")
	if err == nil || !strings.Contains(err.Error(), "b fails") || !strings.Contains(err.Error(), "a fails") {
		t.Errorf("Setup = %v, want both errors", err)
	}
}

func TestTeardownGoesOnAfterAFailure(t *testing.T) {
	var log []string
	a, b := &hooked{name: "a", log: &log, failAt: "panic teardown"}, &hooked{name: "b", log: &log, failAt: "teardown"}
	err := processor.Hooks(processor.ByTopic(map[string]processor.Processor{"a": a, "b": b})).Teardown(t.Context())
	equal(t, log, "b teardown", "a teardown")
	var p *processor.PanicError
	if !errors.As(err, &p) || p.Value != "a" || !errors.Is(err, errPlain) {
		t.Errorf("Teardown = %v, want the error and the panic", err)
	}
}

func TestAPanicInAnAssignmentHookIsAnErrorAndTheOthersAreCalled(t *testing.T) {
	for _, verb := range []string{"assigned", "revoked", "lost"} {
		var log []string
		parts := []processor.Partition{partition("a", 0)}
		h := processor.Hooks(unwrapper{processor.Wrap(
			&hooked{name: "in", log: &log},
			over(&hooked{name: "mw", log: &log, failAt: "panic " + verb + " [{a 0}]"}))})
		call := map[string]func(context.Context, []processor.Partition) error{
			"assigned": h.OnAssigned, "revoked": h.OnRevoked, "lost": h.OnLost,
		}[verb]
		var p *processor.PanicError
		if err := call(t.Context(), parts); !errors.As(err, &p) || !strings.Contains(err.Error(), verb+" partitions") {
			t.Errorf("%s: %v, want a panic", verb, err)
		}
		equal(t, log, "mw "+verb+" [{a 0}]", "in "+verb+" [{a 0}]")
	}
}

func TestHooksOfAPlainFunctionAreNone(t *testing.T) {
	for _, p := range []any{nil, named(nil, ""), processor.BatchFunc(nil), processor.JSON(func(context.Context, *processor.Message, *int) error { return nil })} {
		h := processor.Hooks(p)
		if h.HasAssignmentHooks() || h.Configs() != nil || h.Setup(t.Context(), processor.Env{}) != nil {
			t.Errorf("%T has hooks", p)
		}
	}
	if !processor.Hooks(&hooked{}).HasAssignmentHooks() {
		t.Error("hooks were not found")
	}
}

// incomparable has a hook and cannot be compared with ==.
type incomparable struct {
	log *[]string
	_   []int
}

func (i incomparable) Process(context.Context, *processor.Message) error { return nil }
func (i incomparable) Teardown(context.Context) error {
	*i.log = append(*i.log, "teardown")
	return nil
}

func TestHooksOfValuesThatCannotBeCompared(t *testing.T) {
	var log []string
	v := incomparable{log: &log}
	h := processor.Hooks(processor.ByTopic(map[string]processor.Processor{"a": v, "b": v}))
	if err := h.Teardown(t.Context()); err != nil || len(log) != 2 {
		t.Errorf("error %v, calls %v", err, log)
	}
}
