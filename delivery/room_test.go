package delivery_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/processor"
)

// full makes a producer whose client has one record and no room for another.
func full(t *testing.T) (*fake, *delivery.Producer, *delivery.Attempt) {
	t.Helper()
	client := newFake()
	client.capacity = 1
	p := client.producer(t, delivery.Config{})
	a := p.Begin()
	if err := a.Send(t.Context(), 0, record("first")); err != nil {
		t.Fatal(err)
	}
	return client, p, a
}

// sendLater sends on a goroutine of its own; the bubble is idle when it waits.
func sendLater(ctx context.Context, a *delivery.Attempt, index int) <-chan error {
	result := make(chan error, 1) // one value
	go func() { result <- a.Send(ctx, index, record("second")) }()
	synctest.Wait()
	return result
}

func stillWaits(t *testing.T, result <-chan error) {
	t.Helper()
	select {
	case err := <-result:
		t.Fatalf("send did not wait: %v", err)
	default:
	}
}

func TestSendWaitsForRoomAndAReportMakesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, p, a := full(t)
		result := sendLater(t.Context(), a, 1)
		stillWaits(t, result)
		started := time.Now()
		client.ack(t, 0)
		if err := <-result; err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(started); waited != 0 {
			t.Errorf("the report came, and send went on %v later", waited)
		}
		client.ack(t, 0)
		if err := await(t, a); err != nil {
			t.Fatal(err)
		}
		if s := p.Stats(); s.QueueFull != 1 || s.Refused != 0 {
			t.Errorf("stats %+v", s)
		}
		mustClose(t, p)
	})
}

// The client frees the room of a record a moment after its report: the last
// report may wake a send too early, and no other will.
func TestSendFindsRoomThatIsFreedAfterTheLastReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, p, a := full(t)
		result := sendLater(t.Context(), a, 1)
		client.mu.Lock()
		m := client.queue[0]
		client.mu.Unlock()
		client.report(m, 0)
		synctest.Wait()
		stillWaits(t, result)
		client.take(0)
		if err := <-result; err != nil {
			t.Fatal(err)
		}
		client.ack(t, 0)
		if err := await(t, a); err != nil {
			t.Fatal(err)
		}
		mustClose(t, p)
	})
}

func TestAFullQueueIsNoBusyLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, p, a := full(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		before := client.tries
		if err := a.Send(ctx, 1, record("second")); err == nil {
			t.Fatal("there was room")
		}
		// A tenth of a second each at most, and a few on the way there.
		if tries := client.tries - before; tries > 620 {
			t.Errorf("%d tries in a minute", tries)
		}
		client.ack(t, 0)
		_ = await(t, a)
		mustClose(t, p)
	})
}

func TestAWaitingSendEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, p, a := full(t)
		cause := errors.New("the partition is gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		result := sendLater(ctx, a, 1)
		cancel(cause)
		err := <-result
		e, ok := errors.AsType[*delivery.Error](err)
		if !ok || e.Outcome != delivery.OutcomeNotSent || e.Code != int(kafka.ErrQueueFull) || e.Index != 1 {
			t.Fatalf("error %#v", err)
		}
		if !errors.Is(err, cause) || processor.Classify(err).Class != processor.ClassInfrastructure {
			t.Errorf("%v is %v", err, processor.Classify(err).Class)
		}
		client.ack(t, 0)
		// The attempt fails although its only other record was acknowledged.
		if got := await(t, a); !errors.Is(got, err) || a.FailedIndex() != 1 {
			t.Errorf("attempt: %v, index %d", got, a.FailedIndex())
		}
		mustClose(t, p)
	})
}

func TestSendWithAnEndedContextIsNotTried(t *testing.T) {
	client := newFake()
	p := client.producer(t, delivery.Config{})
	defer mustClose(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := p.Begin()
	err := a.Send(ctx, 0, record("late"))
	if !errors.Is(err, context.Canceled) || client.tries != 0 {
		t.Fatalf("%v after %d tries", err, client.tries)
	}
	if got := await(t, a); !errors.Is(got, context.Canceled) || processor.Classify(got).Class != processor.ClassTransient {
		t.Errorf("attempt: %v", got)
	}
}

func TestEndWakesAWaitingSendAndFailsTheAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, p, a := full(t)
		result := sendLater(t.Context(), a, 1)
		client.capacity = -1 // nothing would ever make room
		ended := false
		a.End(func() { ended = true })
		if err := <-result; !errors.Is(err, processor.ErrAttemptEnded) {
			t.Fatalf("send: %v", err)
		}
		if ended {
			t.Error("done came before the report of the first record")
		}
		client.ack(t, 0)
		synctest.Wait()
		if !ended || !errors.Is(a.Err(), processor.ErrAttemptEnded) || a.FailedIndex() != 1 {
			t.Errorf("ended %v, error %v", ended, a.Err())
		}
		mustClose(t, p)
	})
}

func TestCloseWakesAWaitingSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, p, a := full(t)
		result := sendLater(t.Context(), a, 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		started := time.Now()
		closed := make(chan error, 1) // one value
		go func() { closed <- p.Close(ctx) }()
		if err := <-result; !errors.Is(err, delivery.ErrClosed) {
			t.Errorf("send: %v", err)
		}
		if waited := time.Since(started); waited != 0 {
			t.Errorf("send went on %v after the close", waited)
		}
		if err := <-closed; !errors.Is(err, delivery.ErrUndelivered) {
			t.Errorf("close: %v", err)
		}
		if err := await(t, a); !errors.Is(err, delivery.ErrClosed) || len(failures(err)) != 2 {
			t.Errorf("attempt: %v", err)
		}
	})
}

func mustClose(t *testing.T, p *delivery.Producer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := p.Close(ctx); err != nil {
		t.Errorf("close producer: %v", err)
	}
}
