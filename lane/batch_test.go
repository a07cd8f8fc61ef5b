package lane_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

func TestBatchIsCutByCount(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 3, MaxWait: time.Second})
		w.start()
		w.push(0, 1, 2, 3, 4, 5, 6)
		w.wantRuns("0-2#1", "3-5#1")
		w.ack(3, 0)
		w.wantPosition(6)
	})
}

func TestBatchIsCutByBytes(t *testing.T) {
	sized := func(offset int64, bytes int) processor.Message {
		m := message(offset)
		m.Value = make([]byte, bytes-6)
		m.Key, m.Headers = []byte("ab"), []processor.Header{{Key: "c", Value: []byte("def")}}
		return m
	}
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxBytes: 100, MaxWait: time.Second})
		w.start()
		// 40 + 60 fill one; 70 does not fit behind 40; 200 is a batch of its own.
		w.feed.push(sized(0, 40), sized(1, 60), sized(2, 40), sized(3, 70), sized(4, 200), sized(5, 10))
		w.push()
		w.wantRuns("0-1#1", "2-2#1", "3-3#1", "4-4#1")
		w.pass(time.Second)
		w.wantRuns("5-5#1")
		w.feed.push(sized(6, 50), sized(7, 50)) // just full: it need not wait
		w.push()
		w.wantRuns("6-7#1")
	})
}

func TestBatchIsCutByWait(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 10, MaxWait: 20 * time.Millisecond})
		w.start()
		w.push(0)
		w.pass(15 * time.Millisecond)
		w.push(1)
		w.pass(5*time.Millisecond - 1)
		w.wantRuns()
		w.pass(1) // since the first message, not the last
		w.wantRuns("0-1#1")
		w.pass(time.Second)
		w.push(2)
		w.pass(20 * time.Millisecond)
		w.wantRuns("2-2#1")
		w.ack(0, 2)
		w.wantPosition(3)
	})
}

func TestBatchInTheMakingWaitsWhileTheLaneHolds(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 10})
		w.start()
		w.push(0)
		w.lane.Hold(pause.Hold{Reason: pause.Operator})
		w.pass(time.Hour)
		w.wantRuns()
		w.lane.Release(pause.Operator)
		w.push()
		w.wantRuns("0-0#1")
	})
}

// A batch that is due is one more unit: it must not slip past the limit.
func TestBatchThatIsDueWaitsForMaxOutstanding(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.MaxOutstanding = 1
		w.batches(lane.BatchLimits{MaxMessages: 2})
		w.start()
		w.push(0, 1, 2)
		w.pass(time.Second)
		w.wantRuns("0-1#1")
		w.ack(0)
		w.wantRuns("2-2#1")
	})
}

func TestBatchFailsAndRunsAgainAsAWhole(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 3})
		runs := 0
		w.batch = func(ctx context.Context, b *processor.Batch) error {
			if runs++; runs == 1 {
				return errBoom
			}
			return sendAll(ctx, b)
		}
		w.start()
		w.push(0, 1, 2)
		w.wantHold(pause.Retry, time.Second)
		w.pass(time.Second)
		w.wantRuns("0-2#1", "0-2#2")
		w.ack(0)
		w.wantPosition(3)
	})
}

// Messages 0 to 5, of which "bad" ones always fail. Only what fails alone
// follows the policy; the batch is never given up as a whole.
func TestBatchThatFailsForGoodRunsAsBatchesOfOne(t *testing.T) {
	tests := map[string]error{"permanent": processor.DeadLetter(errBoom), "last attempt": errBoom}
	for name, failure := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.batches(lane.BatchLimits{MaxMessages: 3})
				w.policy.decide = exhausted(2, lane.Skip)
				w.sender.atOnce = (*attempt).ack
				w.batch = func(ctx context.Context, b *processor.Batch) error {
					for _, m := range b.Messages {
						if m.Offset == 1 {
							return failure
						}
					}
					return sendAll(ctx, b)
				}
				w.start()
				w.push(through(0, 5)...)
				w.pass(time.Hour)
				if name == "permanent" {
					w.wantRuns("0-2#1", "0-0#1", "1-1#1", "2-2#1", "3-5#1")
				} else {
					w.wantRuns("0-2#1", "0-2#2", "0-0#1", "1-1#1", "1-1#2", "2-2#1", "3-5#1")
				}
				w.wantPosition(6)
				got := eventsOf[event.UnitSkipped](w)
				if len(got) != 1 || got[0].Offset != 1 || got[0].Messages != 1 || !errors.Is(got[0].Cause, errBoom) {
					t.Errorf("skipped %+v, want offset 1 alone", got)
				}
			})
		})
	}
}

func TestBatchWhoseDeliveryFailsForGoodRunsAsBatchesOfOne(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 2})
		w.policy.decide = exhausted(9, lane.Pause)
		w.start()
		w.push(0, 1, 2, 3)
		w.wantRuns("0-1#1", "2-3#1")
		tooLarge := &deliveryError{processor.ClassPermanent, "too large"}
		w.fail(0, tooLarge)
		w.wantRuns("0-0#1") // one at a time until all of the batch is settled
		w.ack(0)
		w.wantRuns("1-1#1")
		w.wantPosition(1)
		w.fail(1, tooLarge)
		w.wantHold(pause.Paused, 0)
		w.lane.Release(pause.Paused)
		w.push()
		w.wantRuns("1-1#2")
		w.ack(1)
		w.wantPosition(2)
		w.wantRuns("2-3#1")
	})
}

// The pipeline is wide again once a batch that was split has settled.
func TestSplitBatchDoesNotLeaveTheLaneSlow(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 2})
		w.policy.decide = exhausted(9, lane.Skip)
		w.start()
		w.push(0, 1)
		w.fail(0, &deliveryError{processor.ClassPermanent, "too large"})
		w.ack(0)
		w.ack(1)
		w.wantPosition(2)
		w.wantRuns("0-1#1", "0-0#1", "1-1#1")
		w.push(2, 3, 4, 5)
		w.wantRuns("2-3#1", "4-5#1")
	})
}

func TestStopOfABatchStopsItAsAWhole(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 2})
		stop := processor.Stop(errBoom)
		w.batch = func(context.Context, *processor.Batch) error { return stop }
		w.start()
		w.push(0, 1, 2, 3)
		w.pass(time.Hour)
		w.wantRuns("0-1#1")
		w.wantStopped(stop)
		w.wantPosition(0)
	})
}
