package processor

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// cleanupTimeout bounds each Teardown that follows a failed Setup: there the
// caller's context may have ended already.
const cleanupTimeout = 5 * time.Second

// HookSet is the optional interfaces of a processor and of all that it is made
// of, as Hooks found them. The zero value has none. Its methods return what the
// hooks returned, joined; a panic of a hook is a *PanicError in it.
type HookSet struct{ owners []hookOwner }

// hookOwner is a value that has at least one hook, with the topics that it
// serves; nil means all.
type hookOwner struct {
	value  any
	topics []string
}

// child is a processor inside a building block; topic, if not empty, is the only
// one that it gets messages of.
type child struct {
	value any
	topic string
}

// Hooks looks up the optional interfaces of p, a Processor or BatchProcessor, and
// of what it is made of: through ByTopic, Wrap, the value given to WithHooks, and
// any value with an Unwrap() Processor or Unwrap() BatchProcessor method. Outer
// values come first, topics in alphabetical order, and each distinct value once,
// also when it is found on several ways.
func Hooks(p any) HookSet {
	var h HookSet
	h.visit(p, nil)
	return h
}

func (h *HookSet) visit(v any, topics []string) {
	if v == nil {
		return
	}
	if hasHook(v) {
		h.add(v, topics)
	}
	switch w := v.(type) {
	case interface{ children() []child }:
		for _, c := range w.children() {
			switch {
			case c.topic == "":
				h.visit(c.value, topics)
			case topics == nil || slices.Contains(topics, c.topic):
				h.visit(c.value, []string{c.topic})
			}
		}
	case interface{ Unwrap() Processor }:
		h.visit(w.Unwrap(), topics)
	case interface{ Unwrap() BatchProcessor }:
		h.visit(w.Unwrap(), topics)
	}
}

func (h *HookSet) add(v any, topics []string) {
	for i := range h.owners {
		o := &h.owners[i]
		if !same(o.value, v) {
			continue
		}
		if topics == nil {
			o.topics = nil
		} else if o.topics != nil {
			o.topics = slices.Compact(slices.Sorted(slices.Values(slices.Concat(o.topics, topics))))
		}
		return
	}
	h.owners = append(h.owners, hookOwner{v, topics})
}

// same compares two values of any type; those that cannot be compared (a struct
// with a map, say) are never the same.
func same(a, b any) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

func hasHook(v any) bool {
	switch v.(type) {
	case Setuper, Teardowner, AssignedHook, RevokedHook, LostHook, Configurer:
		return true
	}
	return false
}

// Configs returns the pointers of all Configurers, in order, without nils.
func (h HookSet) Configs() []any {
	var out []any
	for _, o := range h.owners {
		if c, ok := o.value.(Configurer); ok {
			if ptr := c.Config(); ptr != nil {
				out = append(out, ptr)
			}
		}
	}
	return out
}

// Setup calls every Setup in order and stops at the first that fails. Then it
// calls the Teardown of those before it, in reverse, and joins their errors:
// after an error there is nothing left to tear down.
func (h HookSet) Setup(ctx context.Context, env Env) error {
	for i, o := range h.owners {
		s, ok := o.value.(Setuper)
		if !ok {
			continue
		}
		if err := guard(func() error { return s.Setup(ctx, env) }); err != nil {
			done := HookSet{h.owners[:i]}
			cleanup, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
			defer cancel()
			return errors.Join(fmt.Errorf("set up %T: %w", o.value, err), done.Teardown(cleanup))
		}
	}
	return nil
}

// Teardown calls every Teardown, in reverse order, also after one failed.
func (h HookSet) Teardown(ctx context.Context) error {
	var errs []error
	for _, o := range slices.Backward(h.owners) {
		if t, ok := o.value.(Teardowner); ok {
			if err := guard(func() error { return t.Teardown(ctx) }); err != nil {
				errs = append(errs, fmt.Errorf("tear down %T: %w", o.value, err))
			}
		}
	}
	return errors.Join(errs...)
}

// HasAssignmentHooks tells whether OnAssigned, OnRevoked or OnLost would call
// anything.
func (h HookSet) HasAssignmentHooks() bool {
	return slices.ContainsFunc(h.owners, func(o hookOwner) bool {
		switch o.value.(type) {
		case AssignedHook, RevokedHook, LostHook:
			return true
		}
		return false
	})
}

// OnAssigned calls every OnAssigned in order, with the partitions that concern it.
func (h HookSet) OnAssigned(ctx context.Context, parts []Partition) error {
	return h.each(parts, "assigned", func(v any, parts []Partition) error {
		if a, ok := v.(AssignedHook); ok {
			return a.OnAssigned(ctx, parts)
		}
		return nil
	})
}

// OnRevoked calls every OnRevoked in order, with the partitions that concern it.
// Only a panic makes an error.
func (h HookSet) OnRevoked(ctx context.Context, parts []Partition) error {
	return h.each(parts, "revoked", func(v any, parts []Partition) error {
		if r, ok := v.(RevokedHook); ok {
			r.OnRevoked(ctx, parts)
		}
		return nil
	})
}

// OnLost calls every OnLost in order, with the partitions that concern it. Only a
// panic makes an error.
func (h HookSet) OnLost(ctx context.Context, parts []Partition) error {
	return h.each(parts, "lost", func(v any, parts []Partition) error {
		if l, ok := v.(LostHook); ok {
			l.OnLost(ctx, parts)
		}
		return nil
	})
}

func (h HookSet) each(parts []Partition, what string, call func(any, []Partition) error) error {
	var errs []error
	for _, o := range h.owners {
		own := o.concerned(parts)
		if len(own) == 0 {
			continue
		}
		if err := guard(func() error { return call(o.value, own) }); err != nil {
			errs = append(errs, fmt.Errorf("tell %T about %s partitions: %w", o.value, what, err))
		}
	}
	return errors.Join(errs...)
}

// concerned always copies: a hook may keep or change its slice.
func (o hookOwner) concerned(parts []Partition) []Partition {
	out := make([]Partition, 0, len(parts))
	for _, p := range parts {
		if o.topics == nil || slices.Contains(o.topics, p.Topic) {
			out = append(out, p)
		}
	}
	return out
}
