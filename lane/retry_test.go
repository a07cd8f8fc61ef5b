package lane_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

func TestFailingHeadHoldsTheLaneWithGrowingDeadlines(t *testing.T) {
	bubble(t, func(w *world) {
		mended := false
		w.process = func(ctx context.Context, m *processor.Message) error {
			if m.Offset == 1 && !mended {
				return errBoom
			}
			return sendOne(ctx, m)
		}
		w.start()
		w.push(0, 1, 2)
		w.wantRuns("0#1", "1#1")
		w.ack(0)
		for n := 1; n <= 4; n++ {
			h := w.wantHold(pause.Retry, time.Duration(n)*time.Second)
			if h.Offset != 1 || h.Attempt != n || !errors.Is(h.Cause, errBoom) {
				t.Errorf("hold %d is %+v", n, h)
			}
			mended = n == 4
			w.pass(time.Duration(n)*time.Second - 1)
			w.wantRuns() // nothing of this lane runs before the deadline
			w.pass(1)
			if n < 4 {
				w.wantRuns(fmt.Sprintf("1#%d", n+1))
			}
		}
		w.wantRuns("1#5", "2#1")
		w.wantNoHold()
		w.ack(1, 2)
		w.wantPosition(3)
		if got := w.lane.Status().Counters; got.Failed != 4 || got.Settled != 3 {
			t.Errorf("counters %+v, want 4 failed, 3 settled", got)
		}
		ended := eventsOf[event.HoldEnded](w)
		if len(ended) != 4 || ended[3].Held != 4*time.Second || ended[3].Reason != "retry" {
			t.Errorf("ended holds %+v, want four, the last of 4s", ended)
		}
	})
}

func TestReportsOfEarlierUnitsSettleDuringAHold(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = once(1, answer(errBoom))
		w.start()
		w.push(0, 1)
		w.wantHold(pause.Retry, time.Second)
		w.ack(0)
		w.wantPosition(1)
	})
}

func TestRecordsOfAFailedRunDoNotSettleIt(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = once(0, func(ctx context.Context, m *processor.Message) error {
			return errors.Join(sendOne(ctx, m), errBoom)
		})
		w.start()
		w.push(0)
		w.ack(0) // what the failed run sent
		w.wantPosition(0)
		w.pass(time.Second)
		w.wantRuns("0#1", "0#2")
		w.wantPosition(0)
		w.ack(0)
		w.wantPosition(1)
	})
}

func TestRetryAfterTakesThePlaceOfTheBackOff(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = once(0, answer(processor.RetryAfter(42*time.Second, errBoom)))
		w.start()
		w.push(0)
		w.wantHold(pause.Retry, 42*time.Second)
		w.pass(42 * time.Second)
		w.wantRuns("0#1", "0#2")
	})
}

func TestSkipSettlesAfterItsSends(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = once(0, func(ctx context.Context, m *processor.Message) error {
			return errors.Join(sendOne(ctx, m), processor.Skip(errBoom))
		})
		w.start()
		w.push(0)
		w.wantPosition(0)
		if got := eventsOf[event.UnitSkipped](w); len(got) != 0 {
			t.Errorf("skipped before its record was acknowledged: %+v", got)
		}
		w.ack(0)
		w.wantPosition(1)
		got := eventsOf[event.UnitSkipped](w)
		if len(got) != 1 || got[0].Offset != 0 || got[0].Messages != 1 || !errors.Is(got[0].Cause, errBoom) {
			t.Errorf("skipped %+v, want offset 0 alone", got)
		}
		if n := w.lane.Status().Counters.Skipped; n != 1 {
			t.Errorf("skipped = %d, want 1", n)
		}
		if got := w.policy.failures(); len(got) != 0 {
			t.Errorf("the policy was asked about %+v", got)
		}
	})
}

func TestSkipWhoseRecordFailsRunsAgain(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = once(0, func(ctx context.Context, m *processor.Message) error {
			return errors.Join(sendOne(ctx, m), processor.Skip(errBoom))
		})
		w.start()
		w.push(0)
		w.fail(0, errBroker)
		w.pass(time.Second)
		w.wantRuns("0#1", "0#1")
		w.ack(0)
		w.wantPosition(1)
		if got := eventsOf[event.UnitSkipped](w); len(got) != 0 {
			t.Errorf("skipped %+v, but its second run succeeded", got)
		}
	})
}

func TestSkipWhoseRecordFailsIsForgottenByARunThatSendsNothing(t *testing.T) {
	bubble(t, func(w *world) {
		first := true
		w.process = func(ctx context.Context, m *processor.Message) error {
			if first {
				first = false
				return errors.Join(sendOne(ctx, m), processor.Skip(errBoom))
			}
			return nil
		}
		w.start()
		w.push(0)
		w.fail(0, errBroker)
		w.pass(time.Second)
		w.wantPosition(1)
		if got := eventsOf[event.UnitSkipped](w); len(got) != 0 {
			t.Errorf("skipped %+v, but its second run succeeded", got)
		}
	})
}

func TestPanicIsReportedWithItsStackAndRunsAgain(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = once(0, func(context.Context, *processor.Message) error { panic("no such thumbnail") })
		w.start()
		w.push(0)
		w.wantHold(pause.Retry, time.Second)
		got := eventsOf[event.ProcessorPanicked](w)
		if len(got) != 1 || got[0].Offset != 0 ||
			!strings.Contains(got[0].Value, "no such thumbnail") || !strings.Contains(got[0].Stack, "retry_test.go") {
			t.Errorf("events %+v, want one with the panic and its stack", got)
		}
		w.pass(time.Second)
		w.wantRuns("0#1", "0#2")
	})
}

func TestProcessorThatEndsItsGoroutineRunsAgain(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = once(0, func(context.Context, *processor.Message) error { runtime.Goexit(); return nil })
		w.start()
		w.push(0, 1)
		h := w.wantHold(pause.Retry, time.Second)
		if !errors.Is(h.Cause, processor.ErrGoexit) {
			t.Errorf("cause = %v, want ErrGoexit", h.Cause)
		}
		w.pass(time.Second)
		w.wantRuns("0#1", "0#2", "1#1")
		w.ack(0, 1)
		w.wantPosition(2)
	})
}

func TestStopTellsTheRunnerAndNothingPastItRuns(t *testing.T) {
	bubble(t, func(w *world) {
		stop := processor.Stop(errBoom)
		w.process = once(1, answer(stop))
		w.start()
		w.push(0, 1, 2)
		w.wantStopped(stop)
		w.ack(0)
		w.wantHold(pause.Paused, 0)
		w.pass(time.Hour)
		w.wantRuns("0#1", "1#1")
		w.wantPosition(1)
	})
}

func TestLastAttemptFollowsThePolicy(t *testing.T) {
	tests := []struct {
		action   lane.Action
		runs     []string
		position int64
		held     pause.Reason
		stopped  []error
	}{
		{lane.Skip, []string{"0#1", "0#2", "1#1"}, 1, "", nil},
		{lane.Pause, []string{"0#1", "0#2"}, 0, pause.Paused, nil},
		{lane.Stop, []string{"0#1", "0#2"}, 0, pause.Paused, []error{errBoom}},
	}
	for _, tt := range tests {
		t.Run(tt.action.String(), func(t *testing.T) {
			bubble(t, func(w *world) {
				w.policy.decide = exhausted(2, tt.action)
				w.process = func(ctx context.Context, m *processor.Message) error {
					if m.Offset == 0 {
						return errBoom
					}
					return sendOne(ctx, m)
				}
				w.start()
				w.push(0, 1)
				w.pass(time.Hour)
				w.wantRuns(tt.runs...)
				w.wantPosition(tt.position)
				w.wantStopped(tt.stopped...)
				if tt.held == "" {
					w.ack(1)
					return
				}
				w.wantHold(tt.held, 0)
			})
		})
	}
}

func TestPausedLaneGoesOnWhenItIsReleased(t *testing.T) {
	bubble(t, func(w *world) {
		w.policy.decide = exhausted(1, lane.Pause)
		w.process = once(0, answer(errBoom))
		w.start()
		w.push(0, 1)
		w.wantHold(pause.Paused, 0)
		w.lane.Release(pause.Paused)
		w.push()
		w.wantRuns("0#1", "0#2", "1#1")
	})
}
