package lane_test

import (
	"context"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

func TestRunsMessagesInOrderAndSettlesThem(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.wantPosition(0)
		w.push(0, 1, 2)
		w.wantRuns("0#1", "1#1", "2#1")
		w.ack(0, 1, 2)
		w.wantPosition(3)
		w.push(3)
		w.wantRuns("3#1")
		w.ack(3)
		w.wantPosition(4)
	})
}

func TestMessageThatSendsNothingSettlesAtOnce(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = answer(nil)
		w.start()
		w.push(0, 1, 2)
		w.wantPosition(3)
	})
}

func TestGapsInOffsetsAreNormal(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.Start = 100
		w.start()
		w.push(105, 106, 190)
		w.wantRuns("105#1", "106#1", "190#1")
		w.wantPosition(100)
		w.ack(105)
		w.wantPosition(106)
		w.ack(106, 190)
		w.wantPosition(191)
	})
}

func TestReadsOnUntilTheFeedIsEmpty(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = answer(nil)
		w.start()
		w.push(through(0, 1799)...) // one wake-up, several reads
		w.wantPosition(1800)
		before := w.feed.readCount()
		w.pass(1e9)
		if n := w.feed.readCount(); n != before {
			t.Errorf("an idle lane read %d times", n-before)
		}
	})
}

// The delivery of 5 is held back while 6 to 10 are acknowledged.
func TestPositionNeverPassesAMessageWhoseRecordIsNotAcknowledged(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.Start = 5
		w.start()
		w.push(through(5, 10)...)
		w.ack(10, 6, 8, 7, 9)
		w.wantPosition(5)
		w.ack(5)
		w.wantPosition(11)
	})
}

func TestPositionNeverPassesARunningMessage(t *testing.T) {
	bubble(t, func(w *world) {
		go1 := make(chan struct{})
		w.process = func(_ context.Context, m *processor.Message) error {
			if m.Offset == 1 {
				<-go1
			}
			return nil
		}
		w.start()
		w.push(0, 1, 2)
		w.wantPosition(1)
		close(go1)
		w.push()
		w.wantPosition(3)
	})
}

func TestStartsNoMoreThanMaxOutstandingBeforeTheirReports(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.MaxOutstanding = 3
		w.start()
		w.push(through(0, 9)...)
		w.wantRuns("0#1", "1#1", "2#1")
		if n := w.lane.Status().Outstanding; n != 3 {
			t.Errorf("outstanding = %d, want 3", n)
		}
		w.ack(0)
		w.wantRuns("3#1")
		// Acknowledged, but 1 keeps it in the window.
		w.ack(2, 3)
		w.wantRuns()
		w.ack(1)
		w.wantRuns("4#1", "5#1", "6#1")
	})
}

// A report for each wake-up would cost more than the report.
func TestAFullWindowGoesOnWhenAnEighthOfItIsFree(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.MaxOutstanding = 16
		w.start()
		w.push(through(0, 19)...)
		w.runsSoFar()
		w.ack(0)
		w.wantRuns()
		w.ack(1)
		w.wantRuns("16#1", "17#1")
		w.ack(through(2, 17)...)
		w.wantRuns("18#1", "19#1")
		w.ack(18)
		w.fail(19, errBroker)
		w.pass(time.Minute)
		w.wantRuns("19#1") // infrastructure is not counted
	})
}

// The feed does not wake the lane: it was not seen empty.
func TestAFullWindowGoesOnWithWhatTheFeedStillHas(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.MaxOutstanding = 500 // as many as one read brings
		w.start()
		w.push(through(0, 501)...)
		if n, window := len(w.runsSoFar()), w.lane.Status().Window; n != 500 || window != 500 {
			t.Errorf("%d runs, %d messages in the window", n, window)
		}
		w.ack(through(0, 499)...)
		w.wantRuns("500#1", "501#1")
	})
}

func TestMaxOutstandingOfOneWaitsForEachReport(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.MaxOutstanding = 1
		w.start()
		w.push(0, 1, 2)
		w.wantRuns("0#1")
		w.ack(0)
		w.wantRuns("1#1")
		w.ack(1)
		w.wantRuns("2#1")
		w.ack(2)
		w.wantPosition(3)
	})
}

func TestAttemptThatIsResolvedInsideEndSettlesAtOnce(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.MaxOutstanding = 1
		w.sender.atOnce = (*attempt).ack
		w.start()
		w.push(0, 1, 2)
		w.wantRuns("0#1", "1#1", "2#1")
		w.wantPosition(3)
	})
}

func TestStaleOffsetsAreDroppedAndCounted(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.Start = 10
		w.process = answer(nil)
		w.start()
		w.push(8, 9, 10, 11) // below the start
		w.push(10, 11)       // both again
		w.push(11, 12)       // one again
		w.wantRuns("10#1", "11#1", "12#1")
		w.wantPosition(13)
		if n := w.lane.Status().Counters.Stale; n != 5 {
			t.Errorf("stale = %d, want 5", n)
		}
	})
}

// What the client fetched again may lie in the same read behind what it handed
// out first.
func TestStaleOffsetsInTheMiddleOfAReadAreDropped(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0, 1, 2, 1, 2, 3)
		w.wantRuns("0#1", "1#1", "2#1", "3#1")
		w.ack(0, 1, 2, 3)
		w.wantPosition(4)
		if n := w.lane.Status().Counters.Stale; n != 2 {
			t.Errorf("stale = %d, want 2", n)
		}
	})
}
