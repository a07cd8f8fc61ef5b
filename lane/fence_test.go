package lane_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

func TestFenceFreezesThePositionAndEndsTheLane(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0, 1, 2)
		w.ack(0)
		w.lane.Fence(errFenced)
		synctest.Wait()
		w.ack(1, 2)
		w.wantPosition(1)
		if n := w.lane.Status().Counters.Settled; n != 1 {
			t.Errorf("settled = %d, want 1", n)
		}
		w.push(3)
		w.wantRuns("0#1", "1#1", "2#1")
		if !isClosed(w.lane.Done()) {
			t.Error("the lane goes on")
		}
	})
}

// A handler that was cancelled and returns nil has not succeeded.
func TestSuccessAfterTheFenceIsNotSettled(t *testing.T) {
	bubble(t, func(w *world) {
		var cause error
		w.process = func(ctx context.Context, _ *processor.Message) error {
			<-ctx.Done()
			cause = context.Cause(ctx)
			return nil
		}
		w.start()
		w.push(0, 1)
		if _, busy := w.lane.Observe(time.Now()); !busy {
			t.Error("the lane is not busy")
		}
		w.lane.Fence(errFenced)
		w.push()
		w.wantPosition(0)
		w.wantRuns("0#1")
		if !errors.Is(cause, errFenced) {
			t.Errorf("cause = %v, want %v", cause, errFenced)
		}
		if got := w.policy.failures(); len(got) != 0 {
			t.Errorf("the policy was asked about %+v", got)
		}
	})
}

func TestErrorAfterTheFenceIsNotAnAttempt(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = func(ctx context.Context, m *processor.Message) error {
			_ = sendOne(ctx, m)
			<-ctx.Done()
			return processor.Stop(ctx.Err())
		}
		w.start()
		w.push(0)
		w.lane.Fence(errFenced)
		w.push()
		w.wantStopped()
		if got := w.lane.Status().Counters.Failed; got != 0 {
			t.Errorf("failed = %d, want 0", got)
		}
		if n := len(w.sender.open()); n != 1 {
			t.Errorf("%d attempts were ended, want 1", n)
		}
	})
}

func TestSkipThatIsDecidedAfterTheFenceDoesNotMoveThePosition(t *testing.T) {
	bubble(t, func(w *world) {
		w.process = answer(errBoom)
		w.policy.decide = func(lane.Failure) lane.Decision {
			w.lane.Fence(errFenced)
			return lane.Decision{Action: lane.Skip}
		}
		w.start()
		w.push(0)
		w.wantPosition(0)
	})
}

func TestFencedLaneWaitsForAProcessorThatIgnoresItsContext(t *testing.T) {
	bubble(t, func(w *world) {
		goOn := make(chan struct{})
		w.process = func(context.Context, *processor.Message) error { <-goOn; return nil }
		w.start()
		w.push(0)
		w.lane.Fence(errFenced)
		w.pass(time.Hour)
		if isClosed(w.lane.Done()) {
			t.Error("the lane has returned before its processor")
		}
		close(goOn)
		w.push()
		if !isClosed(w.lane.Done()) {
			t.Error("the lane has not returned after its processor")
		}
		w.wantPosition(0)
	})
}

func TestSuccessAfterTheTimeLimitIsSettled(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.AttemptTimeout = time.Second
		w.process = func(ctx context.Context, m *processor.Message) error {
			<-ctx.Done()
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				t.Errorf("the context ended with %v", ctx.Err())
			}
			return sendOne(ctx, m)
		}
		w.start()
		w.push(0)
		w.pass(time.Second)
		w.ack(0)
		w.wantPosition(1)
	})
}

func TestErrorAfterTheTimeLimitIsAnAttempt(t *testing.T) {
	bubble(t, func(w *world) {
		w.cfg.AttemptTimeout = time.Second
		w.process = once(0, func(ctx context.Context, _ *processor.Message) error {
			<-ctx.Done()
			return ctx.Err()
		})
		w.start()
		w.push(0)
		w.pass(time.Second)
		w.wantHold(pause.Retry, time.Second)
		w.pass(time.Second)
		w.wantRuns("0#1", "0#2")
	})
}

func TestStoppedLaneSettlesWhatIsReportedLater(t *testing.T) {
	bubble(t, func(w *world) {
		goOn := make(chan struct{})
		w.process = func(ctx context.Context, m *processor.Message) error {
			if m.Offset == 1 {
				<-goOn
			}
			return sendOne(ctx, m)
		}
		w.start()
		w.push(0, 1, 2)
		w.lane.Stop()
		w.push()
		if isClosed(w.lane.Done()) {
			t.Error("the lane has returned before its processor")
		}
		close(goOn)
		w.push()
		if !isClosed(w.lane.Done()) {
			t.Error("the lane has not returned")
		}
		w.wantRuns("0#1", "1#1")
		w.ack(0, 1)
		w.wantPosition(2)
	})
}

// What a processor left behind must not wait for a context that never ends.
func TestContextEndsWhenTheLaneHasReturned(t *testing.T) {
	bubble(t, func(w *world) {
		var left context.Context
		w.process = func(ctx context.Context, m *processor.Message) error {
			left = ctx //nolint:fatcontext // it is what a goroutine that was left behind has
			return sendOne(ctx, m)
		}
		w.start()
		w.push(0)
		if left.Err() != nil {
			t.Errorf("the context has ended: %v", left.Err())
		}
		w.lane.Stop()
		w.push()
		if got := context.Cause(left); !errors.Is(got, lane.ErrStopped) {
			t.Errorf("cause = %v, want ErrStopped", got)
		}
		w.ack(0)
		w.wantPosition(1)
	})
}
