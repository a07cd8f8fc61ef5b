package lane_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

func TestDrainedLaneIsIdleWhenAllReportsAreIn(t *testing.T) {
	bubble(t, func(w *world) {
		goOn := make(chan struct{})
		w.process = func(ctx context.Context, m *processor.Message) error {
			if m.Offset == 2 {
				<-goOn
			}
			return sendOne(ctx, m)
		}
		w.start()
		w.push(0, 1, 2, 3)
		w.lane.Drain()
		w.lane.Drain()              // once is enough
		w.lane.Release(pause.Drain) // there is no way back
		w.push()
		w.wantHold(pause.Drain, 0)
		w.ack(0, 1)
		w.wantIdle(false) // 2 runs
		close(goOn)
		w.push()
		w.wantIdle(false) // 2 waits
		w.ack(2)
		w.wantIdle(true)
		w.wantPosition(3)
		w.push(4)
		w.pass(time.Hour)
		w.wantRuns("0#1", "1#1", "2#1")
	})
}

func TestLaneIsNotIdleBeforeItDrains(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.wantIdle(false)
		w.lane.Drain()
		w.wantIdle(true)
	})
}

func TestDrainDuringAHoldIsIdleAtOnce(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = once(1, answer(errBoom))
		w.start()
		w.push(0, 1)
		w.lane.Drain()
		w.wantIdle(false)
		w.ack(0)
		w.wantIdle(true)
		w.pass(time.Hour)
		w.wantRuns("0#1", "1#1")
		w.wantPosition(1)
	})
}

func TestDrainDuringTheWaitForASlotStartsNothing(t *testing.T) {
	bubble(t, func(w *world) {
		<-w.slots.free // another lane has it
		w.start()
		w.push(0)
		if w.slots.waiting.Load() != 1 {
			t.Error("the lane does not wait for a slot")
		}
		w.lane.Drain()
		w.push()
		w.wantIdle(true)
		w.slots.free <- struct{}{}
		w.pass(time.Hour)
		w.wantRuns()
		w.wantPosition(0)
	})
}

func TestDrainBeforeTheEarlierLaneHasReturnedStartsNothing(t *testing.T) {
	bubble(t, func(w *world) {
		after := make(chan struct{})
		w.cfg.After = after
		w.start()
		w.push(0)
		w.lane.Drain()
		w.push()
		w.wantIdle(true)
		w.wantHold(pause.Drain, 0)
		close(after)
		w.pass(time.Hour)
		w.wantRuns()
		w.wantHold(pause.Drain, 0)
	})
}

// The unit runs again elsewhere. Its own records are reported, and those of the
// unit behind it, which its failure made void, are still on their way: the next
// owner's records would overtake them.
func TestDrainedLaneIsNotIdleBeforeTheReportsOfRewoundUnitsAreIn(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0, 1)
		w.lane.Drain()
		w.fail(0, errBroker)
		w.wantIdle(false)
		w.ack(1)
		w.wantIdle(true)
		w.wantPosition(0)
	})
}

func TestDrainedLaneIsNotIdleBeforeTheReportsOfAFailedRunAreIn(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = func(ctx context.Context, m *processor.Message) error {
			_ = sendOne(ctx, m)
			return errBoom
		}
		w.start()
		w.push(0)
		w.lane.Drain()
		w.wantIdle(false)
		w.ack(0)
		w.wantIdle(true)
	})
}

// Whoever waits for Idle reads the position next: a decision that is still to
// come belongs to it.
func TestDecisionIsTakenBeforeTheLaneIsIdle(t *testing.T) {
	tooLarge := &deliveryError{processor.ClassPermanent, "too large"}
	tests := []struct {
		name   string
		result error
		report func(a *attempt)
	}{
		{"processor", errBoom, (*attempt).ack},
		{"delivery", nil, func(a *attempt) { a.fail(0, tooLarge) }},
	}
	for _, tt := range tests {
		for _, inDecision := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, drained in decision %v", tt.name, inDecision), func(t *testing.T) {
				bubble(t, func(w *world) {
					goOn := make(chan struct{})
					w.policy.decide = func(lane.Failure) lane.Decision {
						w.lane.Drain()
						if isClosed(w.lane.Idle()) {
							t.Error("idle before the decision")
						}
						return lane.Decision{Action: lane.Skip}
					}
					w.process = func(ctx context.Context, m *processor.Message) error {
						<-goOn
						_ = sendOne(ctx, m)
						return tt.result
					}
					w.sender.atOnce = tt.report
					w.start()
					w.push(0)
					if !inDecision {
						w.lane.Drain()
					}
					close(goOn)
					w.push()
					w.wantIdle(true)
					w.wantPosition(1)
				})
			})
		}
	}
}

func TestFenceDuringADrainIsIdleWhenReportsAreIn(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0, 1)
		w.lane.Drain()
		w.lane.Fence(errFenced)
		w.push()
		w.wantIdle(false)
		w.ack(0)
		w.fail(1, errBroker)
		w.wantIdle(true)
		w.wantPosition(0)
	})
}

func TestStopDuringADrainIsIdleWhenReportsAreIn(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0, 1)
		w.lane.Drain()
		w.lane.Stop()
		w.push()
		w.ack(0)
		w.wantIdle(false)
		w.fail(1, errBroker) // nobody decides any more
		w.wantIdle(true)
		w.wantPosition(1)
	})
}

func TestStartsNothingBeforeTheEarlierLaneHasReturned(t *testing.T) {
	bubble(t, func(w *world) {
		after := make(chan struct{})
		w.cfg.After = after
		w.start()
		w.push(0)
		w.pass(time.Hour)
		w.wantRuns()
		w.wantHold(pause.Drain, 0)
		close(after)
		w.push()
		w.wantNoHold()
		w.wantRuns("0#1")
	})
}

func TestStopAndFenceDoNotWaitForTheEarlierLane(t *testing.T) {
	ends := map[string]func(l *lane.Lane){
		"stop": (*lane.Lane).Stop, "fence": func(l *lane.Lane) { l.Fence(errFenced) },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.cfg.After = make(chan struct{})
				w.start()
				w.push(0)
				end(w.lane)
				w.push()
				if !isClosed(w.lane.Done()) {
					t.Error("the lane has not returned")
				}
				w.wantRuns()
			})
		})
	}
}
