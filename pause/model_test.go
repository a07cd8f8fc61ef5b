package pause_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pitlane-go/pitlane/pause"
)

// model is what Holds promise, said with a map: one hold per reason, and the
// order in which the reasons began.
type model struct {
	byReason map[pause.Reason]pause.Hold
	began    []pause.Reason
}

func (m *model) put(h pause.Hold) (started bool) {
	if old, held := m.byReason[h.Reason]; held {
		h.Since = old.Since
	} else {
		m.began, started = append(m.began, h.Reason), true
	}
	m.byReason[h.Reason] = h
	return started
}

func (m *model) end(r pause.Reason) {
	delete(m.byReason, r)
	m.began = slices.DeleteFunc(m.began, func(x pause.Reason) bool { return x == r })
}

func (m *model) list() []pause.Hold {
	var out []pause.Hold
	for _, r := range m.began {
		out = append(out, m.byReason[r])
	}
	return out
}

func (m *model) over(now time.Time) []pause.Hold {
	var out []pause.Hold
	for _, h := range m.list() {
		if !h.Until.IsZero() && !h.Until.After(now) {
			out = append(out, h)
		}
	}
	return out
}

func (m *model) next() (at time.Time, ok bool) {
	for _, h := range m.byReason {
		if !h.Until.IsZero() && (!ok || h.Until.Before(at)) {
			at, ok = h.Until, true
		}
	}
	return at, ok
}

func TestHoldsDoWhatTheModelDoes(t *testing.T) {
	reasons := rapid.SampledFrom([]pause.Reason{
		pause.Retry, pause.Delivery, pause.Operator, pause.Drain, pause.Paused,
	})
	rapid.Check(t, func(t *rapid.T) {
		var holds pause.Holds
		m := model{byReason: map[pause.Reason]pause.Hold{}}
		now := 0
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				h := pause.Hold{
					Reason: reasons.Draw(t, "reason"), Since: at(now),
					Attempt: rapid.IntRange(0, 9).Draw(t, "attempt"),
				}
				if rapid.Bool().Draw(t, "deadline") {
					h.Until = at(now + rapid.IntRange(-2, 20).Draw(t, "wait"))
				}
				if got, want := holds.Put(h), m.put(h); got != want {
					t.Fatalf("Put(%+v) = %v, want %v", h, got, want)
				}
			},
			"release": func(t *rapid.T) {
				r := reasons.Draw(t, "reason")
				want, held := m.byReason[r]
				m.end(r)
				if got, ok := holds.Release(r); ok != held || got != want {
					t.Fatalf("Release(%s) = %+v, %v, want %+v, %v", r, got, ok, want, held)
				}
			},
			"expire": func(t *rapid.T) {
				now += rapid.IntRange(0, 10).Draw(t, "passed")
				want := m.over(at(now))
				for _, h := range want {
					m.end(h.Reason)
				}
				if got := holds.Expire(at(now)); !slices.Equal(got, want) {
					t.Fatalf("Expire = %+v, want %+v", got, want)
				}
			},
			"": func(t *rapid.T) {
				if got, want := holds.All(), m.list(); !slices.Equal(got, want) {
					t.Fatalf("All = %+v, want %+v", got, want)
				}
				if got, want := holds.Held(), len(m.byReason) > 0; got != want {
					t.Fatalf("Held = %v, want %v", got, want)
				}
				gotAt, got := holds.Next()
				if wantAt, want := m.next(); got != want || !gotAt.Equal(wantAt) {
					t.Fatalf("Next = %v, %v, want %v, %v", gotAt, got, wantAt, want)
				}
				binding(t, &holds, m.list())
			},
		})
	})
}

// binding checks that no hold ends after the binding one.
func binding(t *rapid.T, holds *pause.Holds, list []pause.Hold) {
	b, ok := holds.Binding()
	if ok != (len(list) > 0) {
		t.Fatalf("Binding found %v in %+v", ok, list)
	}
	for _, h := range list {
		switch {
		case b.Until.IsZero():
			return
		case h.Until.IsZero(), h.Until.After(b.Until):
			t.Fatalf("Binding = %+v, but %+v ends later", b, h)
		}
	}
}
