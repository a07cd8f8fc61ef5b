package lane_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

func TestSendAfterTheAttemptIsRefused(t *testing.T) {
	bubble(t, func(w *world) {
		var first, second *processor.Message
		w.process = func(ctx context.Context, m *processor.Message) error {
			if m.Offset == 0 {
				first = m // sends nothing
				return nil
			}
			second = m
			return sendOne(ctx, m)
		}
		w.start()
		w.push(0, 1)
		for _, m := range []*processor.Message{first, second} {
			if err := m.Send(t.Context(), record(m.Offset)); !errors.Is(err, processor.ErrAttemptEnded) {
				t.Errorf("Send for %d = %v, want ErrAttemptEnded", m.Offset, err)
			}
		}
		w.ack(1)
		w.wantPosition(2)
		if n := len(w.sender.of(0)); n != 0 {
			t.Errorf("%d attempts began for offset 0", n)
		}
	})
}

// A goroutine that an earlier attempt left behind sends while the next attempt
// of the same message runs: its record must not become one of that attempt.
func TestSendOfAnEarlierAttemptIsRefusedWhileTheNextOneRuns(t *testing.T) {
	bubble(t, func(w *world) {
		send, answered, goOn := make(chan struct{}), make(chan error, 1), make(chan struct{})
		runs := 0
		w.process = func(ctx context.Context, m *processor.Message) error {
			runs++
			if runs > 1 {
				<-goOn
				return nil
			}
			go func() {
				<-send
				answered <- m.Send(ctx, record(m.Offset))
			}()
			return errBoom
		}
		w.start()
		w.push(0)
		w.pass(time.Second)
		w.wantRuns("0#1", "0#2")
		close(send)
		if err := <-answered; !errors.Is(err, processor.ErrAttemptEnded) {
			t.Errorf("Send = %v, want ErrAttemptEnded", err)
		}
		close(goOn)
		w.push()
		w.wantPosition(1)
	})
}

func TestSendOfAnEarlierRunOfABatchIsRefusedWhileAPartOfItRuns(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 3})
		var kept []*processor.Message
		var answers []error
		w.batch = func(ctx context.Context, b *processor.Batch) error {
			if kept == nil {
				kept = b.Messages
				return processor.FailedAt(1, errBoom)
			}
			for _, m := range kept {
				answers = append(answers, m.Send(ctx, record(m.Offset)))
			}
			return nil
		}
		w.start()
		w.push(0, 1, 2)
		w.pass(time.Second)
		w.wantRuns("0-2#1", "1-2#2")
		for i, err := range answers {
			if !errors.Is(err, processor.ErrAttemptEnded) {
				t.Errorf("Send of message %d = %v, want ErrAttemptEnded", i, err)
			}
		}
		w.wantPosition(3)
	})
}

// The batch is the processor's: what it does to the slice changes nothing.
func TestProcessorMayReorderItsBatch(t *testing.T) {
	bubble(t, func(w *world) {
		w.batches(lane.BatchLimits{MaxMessages: 3})
		runs := 0
		w.batch = func(ctx context.Context, b *processor.Batch) error {
			runs++
			if runs == 1 {
				b.Messages[0], b.Messages[2] = b.Messages[2], b.Messages[0]
				return processor.FailedAt(1, errBoom)
			}
			return sendAll(ctx, b)
		}
		w.start()
		w.push(0, 1, 2)
		w.wantPosition(1)
		w.pass(time.Second)
		w.wantRuns("0-2#1", "1-2#2")
		w.ack(1)
		w.wantPosition(3)
	})
}
