package lane_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

func TestFeedThatFailsPausesTheLaneForGood(t *testing.T) {
	bubble(t, func(w *world) {
		outOfRange := errors.New("offset out of range")
		w.start()
		w.push(0, 1)
		w.feed.fail(outOfRange)
		w.push()
		w.wantHold(pause.Paused, 0)
		got := eventsOf[event.FeedFailed](w)
		if len(got) != 1 || got[0].Offset != 2 || !errors.Is(got[0].Cause, outOfRange) {
			t.Errorf("events %+v, want one at offset 2", got)
		}
		w.ack(0, 1)
		w.wantPosition(2)
		w.lane.Release(pause.Paused) // would be a stall without a reason
		w.feed.wake()
		w.pass(time.Hour)
		w.wantHold(pause.Paused, 0)
		if n := len(eventsOf[event.FeedFailed](w)); n != 1 {
			t.Errorf("%d events, want 1", n)
		}
	})
}

func TestClosedFeedIsNotAFailure(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0)
		w.feed.fail(lane.ErrFeedClosed)
		w.push()
		w.wantNoHold()
		w.ack(0)
		w.wantPosition(1)
		before := w.feed.readCount()
		w.feed.wake()
		w.pass(time.Hour)
		if n := w.feed.readCount(); n != before {
			t.Errorf("a closed feed was read %d times", n-before)
		}
		if n := len(eventsOf[event.FeedFailed](w)); n != 0 {
			t.Errorf("%d events of a failed feed", n)
		}
	})
}

// stuckProcessor waits here, so that its name is in the stack.
func stuckProcessor(ctx context.Context) error { <-ctx.Done(); return nil }

func TestObserverSeesTheRunningAttemptAndItsAge(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = once(1, func(ctx context.Context, _ *processor.Message) error { return stuckProcessor(ctx) })
		w.start()
		if _, busy := w.lane.Observe(time.Now()); busy || w.lane.Status().Busy {
			t.Error("busy before the first message")
		}
		w.push(0, 1)
		first := time.Now()
		r, busy := w.lane.Observe(first)
		if !busy || r.Offset != 1 || r.Attempt != 1 || !r.Since.Equal(first) {
			t.Errorf("Observe = %+v, %v", r, busy)
		}
		w.pass(time.Minute)
		if again, _ := w.lane.Observe(time.Now()); again != r {
			t.Errorf("Observe = %+v a minute later, want %+v", again, r)
		}
		if !w.lane.Status().Busy {
			t.Error("the status says that nothing runs")
		}
	})
}

func TestObserverTellsAttemptsApart(t *testing.T) {
	bubble(t, func(w *world) {
		goOn := make(chan error)
		w.process = func(context.Context, *processor.Message) error { return <-goOn }
		w.start()
		w.push(0)
		first, _ := w.lane.Observe(time.Now())
		goOn <- errBoom
		w.pass(time.Second)
		second, busy := w.lane.Observe(time.Now())
		if !busy || second.Run == first.Run || second.Attempt != 2 || second.Since.Sub(first.Since) != time.Second {
			t.Errorf("Observe = %+v, then %+v", first, second)
		}
		goOn <- nil
	})
}

func TestStackIsTheOneOfTheProcessor(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = func(ctx context.Context, _ *processor.Message) error { return stuckProcessor(ctx) }
		w.start()
		w.push(0)
		if s := w.lane.Stack(); !strings.Contains(s, "stuckProcessor") || strings.Count(s, "\ngoroutine ") != 0 {
			t.Errorf("stack:\n%s\nwant one goroutine with stuckProcessor", s)
		}
		w.lane.Fence(errFenced)
		w.push()
		if s := w.lane.Stack(); s != "" {
			t.Errorf("stack after the lane has returned:\n%s", s)
		}
	})
}

func TestStatusTellsWhatTheLaneHas(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.MaxOutstanding = 2
		w.start()
		w.push(0, 1, 2, 3, 4)
		s := w.lane.Status()
		if s.Source != source || s.Outstanding != 2 || s.Window != 5 || s.Draining || s.Busy {
			t.Errorf("status %+v, want 2 outstanding of 5", s)
		}
		w.ack(0)
		w.lane.Drain()
		w.push()
		s = w.lane.Status()
		if s.Outstanding != 2 || s.Window != 4 || !s.Draining || s.Counters.Settled != 1 {
			t.Errorf("status %+v, want 2 outstanding of 4, 1 settled, draining", s)
		}
	})
}
