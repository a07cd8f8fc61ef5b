package delivery_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/processor"
)

func TestCloseWaitsForTheReportsOfWhatWasSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newFake()
		p := client.producer(t, delivery.Config{})
		a := p.Begin()
		if err := a.Send(t.Context(), 0, record("one")); err != nil {
			t.Fatal(err)
		}
		go func() {
			<-time.After(5 * time.Second)
			client.ack(t, 0)
		}()
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if err := await(t, a); err != nil || client.purged {
			t.Errorf("attempt: %v, purged %v", err, client.purged)
		}
	})
}

func TestCloseResolvesEveryHandleAtItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newFake()
		p := client.producer(t, delivery.Config{})
		a := p.Begin()
		for i := range 100 {
			if err := a.Send(t.Context(), i, record("%d", i)); err != nil {
				t.Fatal(err)
			}
		}
		started := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		err := p.Close(ctx)
		if !errors.Is(err, delivery.ErrUndelivered) || errors.Is(err, delivery.ErrAbandoned) {
			t.Errorf("close: %v", err)
		}
		if took := time.Since(started); took < 3*time.Second || took > 3500*time.Millisecond {
			t.Errorf("close took %v", took)
		}
		err = await(t, a)
		if len(failures(err)) != 100 || processor.Classify(err).Class != processor.ClassInfrastructure {
			t.Errorf("%d failures, %v", len(failures(err)), processor.Classify(err).Class)
		}
		e := failures(err)[0]
		if e.Outcome != delivery.OutcomeUnknown {
			t.Error("a purge does not prove that a record was not written")
		}
		if !client.purged || e.Code != int(kafka.ErrPurgeInflight) {
			t.Errorf("purged %v, error %v", client.purged, e)
		}
	})
}

func TestCloseAbandonsAClientThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newFake()
		client.closeGate = make(chan struct{})
		p := client.producer(t, delivery.Config{})
		a := p.Begin()
		if err := a.Send(t.Context(), 0, record("one")); err != nil {
			t.Fatal(err)
		}
		m, _ := client.take(0) // the client forgets it: no report
		started := time.Now()
		if err := p.Close(t.Context()); !errors.Is(err, delivery.ErrAbandoned) || !errors.Is(err, delivery.ErrUndelivered) {
			t.Errorf("close: %v", err)
		}
		if took := time.Since(started); took != 5*time.Second {
			t.Errorf("close took %v", took)
		}
		err := await(t, a)
		if e, ok := errors.AsType[*delivery.Error](err); !ok || !errors.Is(err, delivery.ErrClosed) || e.Topic != "out" || e.Outcome != delivery.OutcomeUnknown {
			t.Errorf("attempt: %v", err)
		}
		client.report(m, 0)
		synctest.Wait()
		if s := p.Stats(); s.LateReports != 1 || s.UnknownReports != 0 || s.Failed != 1 || s.Acked != 0 {
			t.Errorf("stats %+v", s)
		}
		close(client.closeGate)
	})
}

func TestCloseIsIdempotentAndSendsAfterItAreRefused(t *testing.T) {
	client := newFake()
	p := client.producer(t, delivery.Config{})
	var closers sync.WaitGroup
	for range 4 {
		closers.Go(func() { mustClose(t, p) })
	}
	closers.Wait()
	a := p.Begin()
	err := a.Send(t.Context(), 0, record("late"))
	if !errors.Is(err, delivery.ErrClosed) || processor.Classify(err).Class != processor.ClassInfrastructure {
		t.Errorf("send: %v", err)
	}
	if got := await(t, a); !errors.Is(got, delivery.ErrClosed) {
		t.Errorf("attempt: %v", got)
	}
}

func TestAFatalErrorFailsEverySendAndIsToldOnce(t *testing.T) {
	client := newFake()
	log := &eventLog{}
	p := client.producer(t, delivery.Config{Events: log.add})
	fatal := kafka.NewError(kafka.ErrOutOfOrderSequenceNumber, "sequence is broken", true)
	// Produce may know of it before the event is in.
	client.onFatal = fatal
	client.refuse = func(*kafka.Message) error { return kafka.NewError(kafka.ErrFatal, "", false) }
	a := p.Begin()
	for range 2 {
		err := a.Send(t.Context(), 0, record("one"))
		if !errors.Is(err, fatal) || processor.Classify(err).Class != processor.ClassInfrastructure {
			t.Errorf("send: %v", err)
		}
		client.events <- fatal
		client.settle()
	}
	if err := a.Send(t.Context(), 0, record("one")); !errors.Is(err, fatal) || client.tries != 1 {
		t.Errorf("send: %v after %d tries", err, client.tries)
	}
	_ = await(t, a)
	mustClose(t, p)
	told := log.clientErrors()
	if len(told) != 1 || !told[0].Fatal || told[0].Code != int(kafka.ErrOutOfOrderSequenceNumber) {
		t.Errorf("events %+v", told)
	}
}

func TestClientErrorsAreToldAtALimitedRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newFake()
		log := &eventLog{}
		p := client.producer(t, delivery.Config{Events: log.add})
		for range 30 {
			client.events <- kafka.NewError(kafka.ErrTransport, "refused", false)
			<-time.After(time.Second)
		}
		client.events <- kafka.NewError(kafka.ErrAllBrokersDown, "all down", false)
		<-time.After(10 * time.Second)
		client.settle() // what is left is told at the next statistics
		synctest.Wait()
		mustClose(t, p)
		counts := map[int][]int{}
		for _, e := range log.clientErrors() {
			counts[e.Code] = append(counts[e.Code], e.Count)
		}
		transport, down := counts[int(kafka.ErrTransport)], counts[int(kafka.ErrAllBrokersDown)]
		sum := 0
		for _, n := range transport {
			sum += n
		}
		if len(transport) != 4 || transport[0] != 1 || sum != 30 {
			t.Errorf("transport errors told as %v", transport)
		}
		if len(down) != 1 || down[0] != 1 {
			t.Errorf("all brokers down told as %v", down)
		}
	})
}
