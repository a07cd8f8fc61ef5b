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

// failsOnce makes the world run batches of five; the first run sends for every
// message and returns err.
func (w *world) failsOnce(err error) {
	w.batches(lane.BatchLimits{MaxMessages: 5})
	runs := 0
	w.batch = func(ctx context.Context, b *processor.Batch) error {
		if runs++; runs == 1 {
			return errors.Join(sendAll(ctx, b), err)
		}
		return sendAll(ctx, b)
	}
	w.start()
	w.push(through(0, 4)...)
}

func TestWhatIsBelowFailedAtSettlesWhenItsRecordsAreAcknowledged(t *testing.T) {
	bubble(t, func(w *world) {
		w.failsOnce(processor.FailedAt(2, errBoom))
		h := w.wantHold(pause.Retry, time.Second)
		if h.Offset != 2 || h.Attempt != 1 {
			t.Errorf("the hold tells of offset %d, attempt %d", h.Offset, h.Attempt)
		}
		w.wantPosition(0)
		w.ack(0)
		w.wantPosition(2)
		w.pass(time.Second)
		w.wantRuns("0-4#1", "2-4#2")
		w.ack(2)
		w.wantPosition(5)
	})
}

func TestFailedRecordOfWhatRunsAgainAnywayIsIgnored(t *testing.T) {
	bubble(t, func(w *world) {
		w.failsOnce(processor.FailedAt(2, errBoom))
		w.last(0).fail(2, errBroker)
		w.push()
		w.wantPosition(2)
		w.wantHold(pause.Retry, time.Second)
	})
}

func TestFailedRecordBelowFailedAtRewindsToIt(t *testing.T) {
	bubble(t, func(w *world) {
		w.failsOnce(processor.FailedAt(2, errBoom))
		w.last(0).fail(1, errBroker)
		w.push()
		w.wantPosition(0)
		h := w.wantHold(pause.Delivery, time.Second)
		if h.Offset != 0 {
			t.Errorf("the hold tells of offset %d, want 0", h.Offset)
		}
		w.pass(time.Second)
		w.wantRuns("0-4#1", "0-1#1")
		w.ack(0)
		w.wantPosition(2)
		w.wantRuns("2-4#2")
	})
}

func TestWhatIsBelowFailedAtKeepsItsAttemptNumber(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 3})
		runs := 0
		w.batch = func(ctx context.Context, b *processor.Batch) error {
			switch runs++; runs {
			case 1:
				return errBoom
			case 2:
				return errors.Join(sendAll(ctx, b), processor.FailedAt(1, errBoom))
			}
			return sendAll(ctx, b)
		}
		w.start()
		w.push(0, 1, 2)
		w.pass(time.Second)
		w.fail(0, errBroker)
		w.pass(time.Second)
		w.wantRuns("0-2#1", "0-2#2", "0-0#2")
	})
}

func TestNothingBelowWasSentSoItSettlesAtOnce(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 3})
		w.batch = func(context.Context, *processor.Batch) error { return processor.FailedAt(2, errBoom) }
		w.start()
		w.push(0, 1, 2)
		w.wantPosition(2)
	})
}

func TestFailedAtTheFirstMessageRunsAllAgain(t *testing.T) {
	bubble(t, func(w *world) {
		w.failsOnce(processor.FailedAt(0, errBoom))
		w.ack(0)
		w.wantPosition(0)
		w.pass(time.Second)
		w.wantRuns("0-4#1", "0-4#2")
	})
}

func TestFailedAtOutsideTheBatchFailsItAsAWhole(t *testing.T) {
	bubble(t, func(w *world) {
		w.policy.decide = exhausted(1, lane.Skip)
		w.failsOnce(processor.FailedAt(5, errBoom))
		w.ack(0)
		w.pass(time.Hour)
		if got := eventsOf[event.UnitSkipped](w); len(got) != 0 {
			t.Errorf("skipped %+v, want none: each message runs alone first", got)
		}
		w.wantRuns("0-4#1", "0-0#1", "1-1#1", "2-2#1", "3-3#1", "4-4#1")
	})
}

func TestMessageThatIsGivenUpAtFailedAtIsSkippedAlone(t *testing.T) {
	for at := range 3 {
		bubble(t, func(w *world) {
			w.policy.decide = exhausted(1, lane.Skip)
			w.batches(lane.BatchLimits{MaxMessages: 3})
			w.sender.atOnce = (*attempt).ack
			w.batch = func(ctx context.Context, b *processor.Batch) error {
				for i, m := range b.Messages {
					if m.Offset == int64(at) {
						return processor.FailedAt(i, processor.DeadLetter(errBoom))
					}
					if err := m.Send(ctx, record(m.Offset)); err != nil {
						return err
					}
				}
				return nil
			}
			w.start()
			w.push(0, 1, 2)
			w.wantPosition(3)
			got := eventsOf[event.UnitSkipped](w)
			if len(got) != 1 || got[0].Offset != int64(at) || got[0].Messages != 1 {
				t.Errorf("at %d: skipped %+v", at, got)
			}
			for o := range int64(3) {
				if n := len(w.sender.of(o)); (n == 1) == (o == int64(at)) {
					t.Errorf("at %d: %d attempts sent for offset %d", at, n, o)
				}
			}
		})
	}
}

// The class of FailedAt's error counts: the processor skips message i, so what is
// below it settles, and what follows it runs again.
func TestSkipAtFailedAtSkipsThatMessageAlone(t *testing.T) {
	for at := range int64(5) {
		bubble(t, func(w *world) {
			w.failsOnce(processor.FailedAt(int(at), processor.Skip(errBoom)))
			w.wantNoHold()
			w.wantPosition(0)
			w.sender.of(0)[0].ack()
			w.push()
			w.wantPosition(at + 1)
			if at < 4 {
				w.ack(at + 1)
				w.wantPosition(5)
			}
			got := eventsOf[event.UnitSkipped](w)
			if len(got) != 1 || got[0].Offset != at || got[0].Messages != 1 {
				t.Errorf("at %d: skipped %+v", at, got)
			}
			if n := len(w.sender.of(4)); n == 1 != (at == 4) {
				t.Errorf("at %d: offset 4 ran %d times", at, n)
			}
		})
	}
}

func TestRecordOfASkippedMessageMustBeAcknowledged(t *testing.T) {
	bubble(t, func(w *world) {
		w.failsOnce(processor.FailedAt(2, processor.Skip(errBoom)))
		w.wantRuns("0-4#1", "3-4#1")
		w.sender.of(0)[0].fail(2, errBroker)
		w.push()
		w.wantPosition(2)
		w.wantHold(pause.Delivery, time.Second)
		w.pass(time.Second)
		w.wantRuns("2-2#1")
		w.ack(2)
		w.wantRuns("3-4#1")
	})
}

// The batch runs again after a failed delivery, and this time its last message is
// skipped at once while the first still waits: one at a time until that one is
// settled too, and no longer.
func TestOneAtATimeGoesOnUntilAllPartsAreSettled(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 2})
		w.policy.decide = exhausted(9, lane.Skip)
		runs := 0
		w.batch = func(ctx context.Context, b *processor.Batch) error {
			if runs++; runs == 2 {
				return errors.Join(sendAll(ctx, b), processor.FailedAt(1, processor.DeadLetter(errBoom)))
			}
			return sendAll(ctx, b)
		}
		w.start()
		w.push(0, 1)
		w.fail(0, errBroker)
		w.push(through(2, 7)...)
		w.pass(time.Second)
		w.wantRuns("0-1#1", "0-1#1")
		w.ack(0)
		w.wantPosition(2)
		w.wantRuns("2-3#1", "4-5#1", "6-7#1")
	})
}

func TestPartsOfABatchAreFencedWithIt(t *testing.T) {
	bubble(t, func(w *world) {
		w.failsOnce(processor.FailedAt(2, errBoom))
		w.lane.Fence(errFenced)
		w.ack(0)
		w.wantPosition(0)
	})
}
