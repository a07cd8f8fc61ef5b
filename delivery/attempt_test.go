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

// attempt is what a lane asks of the delivery side of a run (lane.Attempt).
type attempt interface {
	Send(ctx context.Context, index int, r processor.Record) error
	End(done func())
	Err() error
	FailedIndex() int
}

var _ attempt = (*delivery.Attempt)(nil)

func TestAnAttemptWithoutRecordsEndsAtOnce(t *testing.T) {
	p := newFake().producer(t, delivery.Config{})
	defer mustClose(t, p)
	a := p.Begin()
	ended := false
	a.End(func() { ended = true })
	if !ended || a.Err() != nil || a.FailedIndex() != -1 {
		t.Errorf("ended %v, error %v, index %d", ended, a.Err(), a.FailedIndex())
	}
}

func TestSendAfterEndIsRefusedAndChangesNothing(t *testing.T) {
	client := newFake()
	p := client.producer(t, delivery.Config{})
	defer mustClose(t, p)
	a := p.Begin()
	a.End(func() {})
	if err := a.Send(t.Context(), 0, record("late")); !errors.Is(err, processor.ErrAttemptEnded) {
		t.Errorf("send: %v", err)
	}
	if a.Err() != nil || client.tries != 0 || p.Stats().Refused != 0 {
		t.Errorf("the attempt has %v after %d tries", a.Err(), client.tries)
	}
}

func TestDoneRunsWithoutALock(t *testing.T) {
	client := newFake()
	p := client.producer(t, delivery.Config{})
	defer mustClose(t, p)
	a := p.Begin()
	if err := a.Send(t.Context(), 3, record("one")); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	a.End(func() {
		// Any lock that is held here would deadlock one of these.
		_ = p.Begin().Send(context.Background(), 0, record("from done"))
		_, _ = a.FailedIndex(), p.Stats()
		done <- a.Err()
	})
	client.ack(t, 0)
	if err := <-done; err != nil {
		t.Error(err)
	}
	client.ack(t, 0)
}

func TestEndTwiceIsADefect(t *testing.T) {
	p := newFake().producer(t, delivery.Config{})
	defer mustClose(t, p)
	a := p.Begin()
	a.End(func() {})
	defer func() {
		if recover() == nil {
			t.Error("a second End went unnoticed")
		}
	}()
	a.End(func() {})
}

func TestAnIgnoredSendErrorFailsTheAttempt(t *testing.T) {
	client := newFake()
	client.refuse = func(*kafka.Message) error { return kafka.NewError(kafka.ErrMsgSizeTooLarge, "", false) }
	p := client.producer(t, delivery.Config{})
	defer mustClose(t, p)
	a := p.Begin()
	_ = a.Send(t.Context(), 4, record("too large"))
	_ = a.Send(t.Context(), 2, record("too large"))
	err := await(t, a)
	if a.FailedIndex() != 2 || len(failures(err)) != 2 {
		t.Fatalf("index %d, error %v", a.FailedIndex(), err)
	}
	if class := processor.Classify(err).Class; class != processor.ClassPermanent {
		t.Errorf("class %v", class)
	}
}

func TestWaitReturnsWhatBecameOfTheRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newFake()
		p := client.producer(t, delivery.Config{})
		a := p.Begin()
		for i := range 2 {
			if err := a.Send(t.Context(), i, record("%d", i)); err != nil {
				t.Fatal(err)
			}
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := a.Wait(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("wait with a short context: %v", err)
		}
		if err := a.Send(t.Context(), 0, record("late")); !errors.Is(err, processor.ErrAttemptEnded) {
			t.Errorf("send after wait: %v", err)
		}
		client.ack(t, 0)
		m, _ := client.take(0)
		go func() {
			synctest.Wait()
			client.report(m, kafka.ErrMsgTimedOut)
		}()
		err := a.Wait(t.Context())
		e, ok := errors.AsType[*delivery.Error](err)
		if !ok || e.Index != 1 || e.Topic != "out" || e.Partition != 7 || e.Generation != 1 || e.Outcome != delivery.OutcomeUnknown {
			t.Errorf("wait: %+v", err)
		}
		// A lane that ends the attempt afterwards still hears of it.
		ended := false
		a.End(func() { ended = true })
		if !ended {
			t.Error("end after wait did not call done")
		}
		mustClose(t, p)
	})
}

// The error of Produce must not resolve what a report has resolved already.
func TestAReportThatIsFasterThanTheErrorOfProduceWins(t *testing.T) {
	client := newFake()
	p := client.producer(t, delivery.Config{})
	defer mustClose(t, p)
	client.refuse = func(m *kafka.Message) error {
		client.report(kafka.Message{Opaque: m.Opaque}, 0)
		client.settle()
		return kafka.NewError(kafka.ErrMsgSizeTooLarge, "", false)
	}
	a := p.Begin()
	if err := a.Send(t.Context(), 0, record("one")); err != nil {
		t.Errorf("send: %v", err)
	}
	if err := await(t, a); err != nil {
		t.Errorf("attempt: %v", err)
	}
	if s := p.Stats(); s.Sent != 1 || s.Acked != 1 || s.Refused != 0 {
		t.Errorf("stats %+v", s)
	}
}

func TestReportsOfNobodyAreCountedAndIgnored(t *testing.T) {
	client := newFake()
	p := client.producer(t, delivery.Config{})
	a := p.Begin()
	if err := a.Send(t.Context(), 0, record("one")); err != nil {
		t.Fatal(err)
	}
	client.report(kafka.Message{}, 0)
	client.report(kafka.Message{Opaque: uint64(99)}, kafka.ErrMsgTimedOut)
	m, _ := client.take(0)
	client.report(m, 0)
	client.report(m, kafka.ErrMsgTimedOut) // too late to change the verdict
	if err := await(t, a); err != nil {
		t.Error(err)
	}
	mustClose(t, p)
	if s := p.Stats(); s.UnknownReports != 3 || s.Acked != 1 || s.Failed != 0 {
		t.Errorf("stats %+v", s)
	}
}

// A report that comes again must not resolve the record that has taken the place
// of the first one in the table.
func TestAReportThatComesTwiceIsNobodyElses(t *testing.T) {
	client := newFake()
	p := client.producer(t, delivery.Config{})
	send := func() (*delivery.Attempt, kafka.Message) {
		a := p.Begin()
		if err := a.Send(t.Context(), 0, record("one")); err != nil {
			t.Fatal(err)
		}
		m, _ := client.take(0)
		return a, m
	}
	first, report := send()
	client.report(report, 0)
	if err := await(t, first); err != nil {
		t.Fatal(err)
	}
	second, own := send()
	client.report(report, 0)
	client.settle()
	if s := p.Stats(); s.Open != 1 || s.UnknownReports != 1 {
		t.Errorf("the old report resolved another record: %+v", s)
	}
	client.report(own, kafka.ErrMsgTimedOut)
	if err := await(t, second); err == nil {
		t.Error("the second record was not delivered, and nobody says so")
	}
	mustClose(t, p)
}
