package lane_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

func TestFailedDeliveryRunsItsUnitAndAllLaterOnesAgainInOrder(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(through(0, 4)...)
		w.wantRuns("0#1", "1#1", "2#1", "3#1", "4#1")
		w.ack(0, 3)
		w.fail(1, &deliveryError{processor.ClassTransient, "too large"})
		h := w.wantHold(pause.Retry, time.Second)
		if h.Offset != 1 || h.Attempt != 1 {
			t.Errorf("the hold tells of offset %d, attempt %d", h.Offset, h.Attempt)
		}
		got := eventsOf[event.DeliveryRewound](w)
		if len(got) != 1 || got[0].Offset != 1 || got[0].Units != 4 || got[0].Cause == nil {
			t.Errorf("events %+v, want one of 4 units from offset 1", got)
		}
		w.wantRuns()
		// Late reports of the old attempts change nothing.
		w.sender.of(2)[0].ack()
		w.sender.of(4)[0].fail(0, errBroker)
		w.wantPosition(1)

		w.pass(time.Second)
		w.wantRuns("1#2") // one at a time until 1 is settled
		w.ack(1)
		w.wantPosition(2)
		// The others keep their attempt number, and are pipelined again.
		w.wantRuns("2#1", "3#1", "4#1")
		w.ack(4, 3, 2)
		w.wantPosition(5)
		if n := w.lane.Status().Counters.Rewinds; n != 1 {
			t.Errorf("rewinds = %d, want 1", n)
		}
	})
}

// The reports of the first runs come while the second runs wait for theirs.
func TestReportsOfOldAttemptsChangeNothingForTheNewOnes(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0, 1, 2)
		w.fail(0, errBroker)
		w.pass(time.Second)
		w.ack(0)
		w.wantRuns("0#1", "1#1", "2#1", "0#1", "1#1", "2#1")
		w.sender.of(1)[0].ack()
		w.wantPosition(1)
		w.sender.of(2)[0].fail(0, errBroker)
		w.push()
		w.wantNoHold()
		w.ack(1, 2)
		w.wantPosition(3)
	})
}

func TestUnitsBeforeTheFailedOneStayUnderWay(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0, 1, 2)
		w.wantRuns("0#1", "1#1", "2#1")
		w.fail(1, errBroker)
		w.pass(time.Second)
		w.wantRuns() // 0 is not reported: one at a time
		w.ack(0)
		w.wantPosition(1)
		w.wantRuns("1#1") // trouble of the brokers does not count
		w.ack(1)
		w.wantRuns("2#1")
	})
}

// Before 1 ran again, 0 fails too: both must be settled before anything else
// is pipelined.
func TestSecondFailureFurtherBackKeepsOneAtATimeUntilTheFirstIsSettled(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(through(0, 3)...)
		w.wantRuns("0#1", "1#1", "2#1", "3#1")
		w.fail(2, errBroker)
		w.fail(0, errBroker)
		w.pass(time.Second)
		w.wantRuns("0#1")
		w.ack(0)
		w.wantRuns("1#1")
		w.ack(1)
		w.wantRuns("2#1")
		w.ack(2)
		w.wantRuns("3#1")
	})
}

func TestTwoFailuresAtOnceRewindToTheFirst(t *testing.T) {
	bubble(t, func(w *world) {
		goOn := make(chan struct{})
		w.process = func(ctx context.Context, m *processor.Message) error {
			if m.Offset == 3 {
				<-goOn
			}
			return sendOne(ctx, m)
		}
		w.start()
		w.push(through(0, 3)...)
		w.wantRuns("0#1", "1#1", "2#1", "3#1")
		w.fail(2, errBroker)
		w.fail(1, errBroker)
		w.wantRuns() // the running attempt ends first
		w.wantNoHold()
		close(goOn)
		w.push()
		w.wantHold(pause.Delivery, time.Second)
		if got := w.policy.failures(); len(got) != 1 || got[0].Offset != 1 || got[0].Troubles != 1 {
			t.Errorf("the policy was asked %+v, want once about 1", got)
		}
		w.ack(0)
		w.pass(time.Second)
		w.wantRuns("1#1")
	})
}

func TestTroublesOfDeliveryGrowUntilTheUnitSettles(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0)
		for n := 1; n <= 3; n++ {
			w.fail(0, errBroker)
			w.wantHold(pause.Delivery, time.Duration(n)*time.Second)
			w.pass(time.Duration(n) * time.Second)
		}
		w.wantRuns("0#1", "0#1", "0#1", "0#1")
		for i, f := range w.policy.failures() {
			if f.Troubles != i+1 || f.Attempt != 0 || f.Verdict.Class != processor.ClassInfrastructure {
				t.Errorf("failure %d is %+v", i, f)
			}
		}
		w.ack(0)
		w.wantPosition(1)
	})
}

func TestTroublesAreCountedInARow(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0)
		for _, err := range []error{errBroker, errBroker, &deliveryError{processor.ClassTransient, "refused"}, errBroker} {
			w.fail(0, err)
			w.pass(time.Minute)
		}
		var got []int
		for _, f := range w.policy.failures() {
			got = append(got, f.Troubles)
		}
		if want := []int{1, 2, 0, 1}; !slices.Equal(got, want) {
			t.Errorf("troubles %v, want %v", got, want)
		}
	})
}

func TestIgnoredSendErrorFailsTheAttempt(t *testing.T) {
	bubble(t, func(w *world) {
		refused := true
		w.sender.refuse = func(processor.Record) error {
			if refused {
				refused = false
				return &deliveryError{processor.ClassTransient, "queue full"}
			}
			return nil
		}
		w.sender.atOnce = (*attempt).ack
		w.process = func(ctx context.Context, m *processor.Message) error {
			_ = m.Send(ctx, record(m.Offset))
			return nil
		}
		w.start()
		w.push(0)
		w.wantPosition(0)
		w.wantHold(pause.Retry, time.Second)
		w.pass(time.Second)
		w.wantRuns("0#1", "0#2")
		w.wantPosition(1)
	})
}

func TestDeliveryThatFailsForGoodFollowsThePolicy(t *testing.T) {
	bubble(t, func(w *world) {
		w.policy.decide = exhausted(3, lane.Skip)
		w.start()
		w.push(0, 1)
		w.wantRuns("0#1", "1#1")
		w.fail(0, &deliveryError{processor.ClassPermanent, "too large"})
		w.wantPosition(1)
		w.wantRuns("1#1") // it ran after 0, so it runs again
		w.ack(1)
		w.wantPosition(2)
		if got := eventsOf[event.UnitSkipped](w); len(got) != 1 || got[0].Offset != 0 {
			t.Errorf("skipped %+v, want offset 0 alone", got)
		}
	})
}

// A message that sent before it was to run again keeps its wait: the hold of a
// unit further on comes back at its turn.
func TestWaitOfALaterUnitComesBackAtItsTurn(t *testing.T) {
	transient := &deliveryError{processor.ClassTransient, "refused"}
	tests := []struct {
		later, first pause.Reason
		laterErr     error
		firstErr     error
		runs         []string
	}{
		{pause.Retry, pause.Delivery, errBoom, errBroker, []string{"0#1", "1#2"}},
		{pause.Delivery, pause.Retry, errBroker, transient, []string{"0#2", "1#1"}},
	}
	for _, tt := range tests {
		t.Run(string(tt.later), func(t *testing.T) {
			bubble(t, func(w *world) {
				w.process = once(1, answer(tt.laterErr))
				w.policy.decide = func(f lane.Failure) lane.Decision {
					d := patient(f)
					if f.Offset == 1 {
						d.Wait = 10 * time.Second
					}
					return d
				}
				w.start()
				w.push(0, 1)
				w.wantRuns("0#1", "1#1")
				w.wantHold(tt.later, 10*time.Second)
				w.lane.Release(pause.Operator) // has nothing to do with it
				w.fail(0, tt.firstErr)
				w.wantHold(tt.first, time.Second)
				w.pass(time.Second)
				w.wantRuns(tt.runs[0])
				w.ack(0)
				w.wantHold(tt.later, 9*time.Second)
				w.wantRuns()
				w.pass(9 * time.Second)
				w.wantRuns(tt.runs[1])
			})
		})
	}
}
