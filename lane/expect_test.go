package lane_test

import (
	"slices"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/pause"
)

// runsSoFar returns all runs so far, and begins to count anew.
func (w *world) runsSoFar() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	got := w.runs
	w.runs = nil
	return got
}

// wantRuns compares all runs so far, and begins to count anew.
func (w *world) wantRuns(want ...string) {
	w.t.Helper()
	got := w.runsSoFar()
	if !slices.Equal(got, want) {
		w.t.Errorf("runs: %s, want %s", words(got), words(want))
	}
}

func (w *world) wantPosition(want int64) {
	w.t.Helper()
	if got := w.lane.Position(); got != want {
		w.t.Errorf("position = %d, want %d", got, want)
	}
	if got := w.lane.Status().Position; got != want {
		w.t.Errorf("position of the status = %d, want %d", got, want)
	}
}

// wantHold wants exactly this hold, ending in this time (0: no deadline).
func (w *world) wantHold(r pause.Reason, left time.Duration) pause.Hold {
	w.t.Helper()
	holds := w.lane.Status().Holds
	h, ok := holdWith(holds, r)
	if !ok || len(holds) != 1 {
		w.t.Errorf("holds = %v, want %s alone", holds, r)
		return h
	}
	var got time.Duration
	if !h.Until.IsZero() {
		got = time.Until(h.Until)
	}
	if got != left {
		w.t.Errorf("the hold %s ends in %v, want %v", r, got, left)
	}
	return h
}

func (w *world) wantNoHold() {
	w.t.Helper()
	if holds := w.lane.Status().Holds; len(holds) > 0 {
		w.t.Errorf("holds = %v, want none", holds)
	}
}

func (w *world) wantIdle(want bool) {
	w.t.Helper()
	if got := isClosed(w.lane.Idle()); got != want {
		w.t.Errorf("idle = %v, want %v", got, want)
	}
}

func (w *world) wantStopped(want ...error) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.stopped, want) {
		w.t.Errorf("stopped with %v, want %v", w.stopped, want)
	}
}

// eventsOf returns the events of one type, oldest first.
func eventsOf[E event.Event](w *world) (out []E) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.events {
		if x, ok := e.(E); ok {
			out = append(out, x)
		}
	}
	return out
}
