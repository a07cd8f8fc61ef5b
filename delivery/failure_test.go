package delivery_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/processor"
)

func contains(err error, word string) bool {
	return err != nil && strings.Contains(err.Error(), word)
}

// only returns the one failed record of an attempt.
func only(t *testing.T, err error) *delivery.Error {
	t.Helper()
	all := failures(err)
	if len(all) != 1 {
		t.Fatalf("%d failed records, want 1: %v", len(all), err)
	}
	return all[0]
}

// goodTraffic proves that nothing of an earlier failure is left in the producer.
func (b *bundle) goodTraffic(t *testing.T) {
	t.Helper()
	for range 3 {
		if err := b.deliver(t, record("good"), record("good")); err != nil {
			t.Errorf("good records after a bad one: %v", err)
		}
	}
	if s := b.producer.Stats(); s.Open != 0 {
		t.Errorf("%d handles are left", s.Open)
	}
}

func TestATooLargeRecordFailsAloneAndAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, map[string]string{"message.max.bytes": "2000"})
	large := processor.Record{Topic: "out", Value: make([]byte, 3000)}
	err := b.deliver(t, record("before"), large, record("after"))
	e := only(t, err)
	if e.Index != 1 || e.Outcome != delivery.OutcomeNotSent || e.Code != int(kafka.ErrMsgSizeTooLarge) || e.Class() != processor.ClassPermanent {
		t.Errorf("error %+v", e)
	}
	if !contains(err, "message.max.bytes") {
		t.Errorf("no setting is named: %v", err)
	}
	b.read(t, "out", 2) // its mates are written
	b.goodTraffic(t)
}

func TestARefusalInAReportIsTransientAndLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.broker.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.MessageTooLarge})
	e := only(t, b.deliver(t, record("one")))
	if e.Outcome != delivery.OutcomeUnknown || e.Code != int(kafka.ErrMsgSizeTooLarge) || e.Class() != processor.ClassTransient {
		t.Errorf("error %+v", e)
	}
	if e.Topic != "out" || e.Partition < 0 {
		t.Errorf("the report's partition is missing: %+v", e)
	}
	b.goodTraffic(t)
}

func TestNotAuthorisedIsAConfigurationFailure(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.broker.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.TopicAuthorizationFailed})
	err := b.deliver(t, record("one"))
	if e := only(t, err); e.Class() != processor.ClassConfiguration || !contains(err, "WRITE") {
		t.Errorf("error %v", err)
	}
}

func TestAnUnknownTopicIsAConfigurationFailure(t *testing.T) {
	t.Parallel()
	b := setup(t, map[string]string{"topic.metadata.propagation.max.ms": "200", "topic.metadata.refresh.interval.ms": "300"})
	err := b.deliver(t, processor.Record{Topic: "nowhere", Value: []byte("v")}, record("good"))
	e := only(t, err)
	if e.Index != 0 || e.Topic != "nowhere" || e.Class() != processor.ClassConfiguration || !contains(err, "create the topic") {
		t.Errorf("error %v", err)
	}
	b.goodTraffic(t)
}

func TestAnUnknownPartitionIsAConfigurationFailure(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	partition := int32(17)
	err := b.deliver(t, record("good"), processor.Record{Topic: "out", Partition: &partition})
	if e := only(t, err); e.Index != 1 || e.Partition != 17 || e.Class() != processor.ClassConfiguration {
		t.Errorf("error %v", err)
	}
	b.goodTraffic(t)
}

// Records that the client would alter, or answer with a panic.
func TestARecordThatKafkaCannotTakeIsPermanent(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	negative := int32(-2)
	for name, r := range map[string]processor.Record{
		"no topic":              {Value: []byte("v")},
		"topic with zero byte":  {Topic: "out\x00put"},
		"long topic":            {Topic: strings.Repeat("x", 600)},
		"negative partition":    {Topic: "out", Partition: &negative},
		"header with zero byte": {Topic: "out", Headers: []processor.Header{{Key: "a\x00b"}}},
		"old timestamp":         {Topic: "out", Timestamp: time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC)},
		"far timestamp":         {Topic: "out", Timestamp: time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		e := only(t, b.deliver(t, r))
		if e.Class() != processor.ClassPermanent || e.Outcome != delivery.OutcomeNotSent || e.Cause.Error() == "" {
			t.Errorf("%s: %v", name, e)
		}
	}
	b.goodTraffic(t)
}

// A broker that loses the producer's sequence ends the client (librdkafka 2.15
// raises a fatal error for the head of the line).
func TestABrokenSequenceIsFatalAndSendsSaySo(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	if err := b.deliver(t, record("one")); err != nil {
		t.Fatal(err)
	}
	b.broker.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.OutOfOrderSequenceNumber, Count: -1})
	if e := failures(b.deliver(t, record("two")))[0]; e.Class() != processor.ClassInfrastructure {
		t.Errorf("the broken record: %v", e)
	}
	err := b.deliver(t, record("three"))
	e := only(t, err)
	if e.Outcome != delivery.OutcomeNotSent || e.Code != int(kafka.ErrOutOfOrderSequenceNumber) || !contains(err, "restart") {
		t.Errorf("a send after the fatal error: %v", err)
	}
	told := b.events.clientErrors()
	if len(told) == 0 || !told[len(told)-1].Fatal {
		t.Errorf("events %+v", told)
	}
}

func TestCloseInAnOutageResolvesEverythingInTime(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	if err := b.deliver(t, record("one")); err != nil {
		t.Fatal(err)
	}
	b.broker.Close()
	a := b.producer.Begin()
	for i := range 500 {
		if err := a.Send(t.Context(), i, record("%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	started := time.Now()
	ctx, cancel := contextFor(t, 500*time.Millisecond)
	defer cancel()
	err := b.producer.Close(ctx)
	if !errors.Is(err, delivery.ErrUndelivered) || errors.Is(err, delivery.ErrAbandoned) {
		t.Errorf("close: %v", err)
	}
	if took := time.Since(started); took > 4*time.Second {
		t.Errorf("close took %v", took)
	}
	got := await(t, a)
	if len(failures(got)) != 500 || processor.Classify(got).Class != processor.ClassInfrastructure {
		t.Errorf("%d of 500 failed, %v", len(failures(got)), processor.Classify(got).Class)
	}
	if s := b.producer.Stats(); s.Open != 0 || s.Failed != 500 {
		t.Errorf("stats %+v", s)
	}
}
