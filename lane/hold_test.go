package lane_test

import (
	"context"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

func TestHeldLaneStartsNothingUntilTheRelease(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.lane.Hold(pause.Hold{Reason: pause.Operator, Since: time.Unix(0, 0)}) // since is now
		w.push(0)
		w.pass(time.Hour)
		w.wantRuns()
		w.wantHold(pause.Operator, 0)
		w.lane.Release(pause.Operator)
		w.push()
		w.wantRuns("0#1")
		got := eventsOf[event.HoldEnded](w)
		if len(got) != 1 || got[0].Reason != "operator" || got[0].Held != time.Hour || got[0].Source != source {
			t.Errorf("ended holds %+v, want operator after an hour", got)
		}
	})
}

func TestHoldEndsByItselfAtItsDeadline(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.lane.Hold(pause.Hold{Reason: pause.Operator, Until: time.Now().Add(time.Minute)})
		w.push(0)
		w.pass(time.Minute - 1)
		w.wantRuns()
		w.pass(1)
		w.wantRuns("0#1")
	})
}

func TestHoldDoesNotInterruptTheRunningAttempt(t *testing.T) {
	bubble(t, func(w *world) {
		goOn := make(chan struct{})
		w.process = func(ctx context.Context, m *processor.Message) error {
			<-goOn
			return sendOne(ctx, m)
		}
		w.start()
		w.push(0, 1)
		w.lane.Hold(pause.Hold{Reason: pause.Operator})
		close(goOn)
		w.push()
		w.wantRuns("0#1")
		w.ack(0)
		w.wantPosition(1)
	})
}

// Whoever releases the hold of a back-off cuts the back-off short.
func TestReleaseCutsABackOffShort(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = once(0, answer(processor.RetryAfter(time.Hour, errBoom)))
		w.start()
		w.push(0)
		w.wantHold(pause.Retry, time.Hour)
		w.lane.Release(pause.Delivery) // another reason
		w.push()
		w.wantHold(pause.Retry, time.Hour)
		w.lane.Release(pause.Retry)
		w.push()
		w.wantNoHold()
		w.wantRuns("0#1", "0#2")
	})
}

func TestOverlappingHoldsAllHaveToEnd(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = once(0, answer(errBoom))
		w.start()
		w.push(0)
		w.lane.Hold(pause.Hold{Reason: pause.Operator})
		w.pass(time.Minute) // retry is over
		w.wantRuns("0#1")
		w.wantHold(pause.Operator, 0)
		w.lane.Release(pause.Operator)
		w.push()
		w.wantRuns("0#2")
	})
}

func TestLateReportsHoldTheLaneUntilTheyCome(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.LateAfter = 10 * time.Second
		w.start()
		w.push(0)
		w.pass(4 * time.Second)
		w.push(1)
		w.pass(6*time.Second - 1)
		w.wantNoHold()
		w.push(2)
		w.pass(1) // 0 is 10 s old
		if h := w.wantHold(pause.Delivery, 0); h.Offset != 0 || h.Cause == nil {
			t.Errorf("the hold is %+v, want one because of offset 0", h)
		}
		w.push(3)
		w.wantRuns("0#1", "1#1", "2#1")
		w.ack(0) // 1 is 6 s old
		w.wantNoHold()
		w.wantRuns("3#1")
		w.pass(4 * time.Second)
		w.wantHold(pause.Delivery, 0)
		w.ack(2) // not the oldest
		w.wantHold(pause.Delivery, 0)
		w.ack(1)
		w.wantNoHold()
	})
}

func TestLateReportThatFailsRunsTheUnitAgain(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0, 1)
		w.pass(time.Minute)
		w.wantHold(pause.Delivery, 0)
		w.fail(0, errBroker)
		w.wantHold(pause.Delivery, time.Second)
		w.pass(time.Second)
		w.wantRuns("0#1", "1#1", "0#1")
	})
}

// While 1 waits for its back-off, the report of 0 gets late and comes: the
// back-off of 1 is not cut short by that.
func TestLateReportDoesNotCutTheBackOffOfALaterUnitShort(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.LateAfter = 10 * time.Second
		w.process = once(1, answer(&deliveryError{processor.ClassInfrastructure, "no leader"}))
		w.policy.decide = func(lane.Failure) lane.Decision {
			return lane.Decision{Action: lane.Retry, Wait: 30 * time.Second, Reason: pause.Delivery}
		}
		w.start()
		w.push(0, 1)
		w.pass(9 * time.Second)
		w.push(2)
		w.wantHold(pause.Delivery, 21*time.Second)
		if n := len(eventsOf[event.HoldStarted](w)); n != 1 {
			t.Errorf("%d holds started, want 1", n)
		}
		w.pass(3 * time.Second)
		w.ack(0)
		w.wantHold(pause.Delivery, 18*time.Second)
		w.wantRuns("0#1", "1#1")
		w.pass(18 * time.Second)
		w.wantRuns("1#1", "2#1")
	})
}
