package delivery_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/kafkatest/cluster"
	"github.com/pitlane-go/pitlane/processor"
)

// real is one real broker and a producer on it with a queue of few records.
type real struct {
	*cluster.Cluster
	producer *delivery.Producer
}

func openReal(t *testing.T, c *cluster.Cluster) *real {
	t.Helper()
	p, err := delivery.New(delivery.Config{Properties: map[string]string{
		"bootstrap.servers":                  strings.Join(c.Bootstrap(), ","),
		"message.max.bytes":                  "20000",
		"queue.buffering.max.messages":       "100",
		"topic.metadata.propagation.max.ms":  "1000",
		"topic.metadata.refresh.interval.ms": "1000",
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = p.Close(ctx) // a subtest may have closed it with records open
	})
	return &real{c, p}
}

func (r *real) topic(t *testing.T, spec cluster.TopicSpec) {
	t.Helper()
	if err := r.CreateTopic(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
}

// send runs one attempt and returns how it ended.
func (r *real) send(t *testing.T, records ...processor.Record) error {
	t.Helper()
	a := r.producer.Begin()
	for i, one := range records {
		_ = a.Send(t.Context(), i, one)
	}
	return await(t, a)
}

func (r *real) written(t *testing.T, topic string) []cluster.Record {
	t.Helper()
	records, err := r.ReadAll(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func to(topic string, partition int32, size int) processor.Record {
	return processor.Record{Topic: topic, Partition: &partition, Value: make([]byte, size)}
}

// Produce trouble on a real broker. The subtests share it and run in order.
func TestProduceTroubleOnARealBroker(t *testing.T) {
	c := cluster.Start(t, cluster.Config{})
	r := openReal(t, c)
	t.Run("too large for the producer", r.tooLargeForTheProducer)
	t.Run("too large for the topic", r.tooLargeForTheTopic)
	t.Run("invalid for the topic", r.invalidForTheTopic)
	t.Run("unknown topic and partition", r.unknownTopicAndPartition)
	t.Run("nil and empty", r.nilAndEmpty)
	t.Run("queue full", r.queueFull)
	t.Run("close while frozen", r.closeWhileFrozen)
}

func (r *real) tooLargeForTheProducer(t *testing.T) {
	r.topic(t, cluster.TopicSpec{Name: "sizes"})
	err := r.send(t, to("sizes", 0, 10), to("sizes", 0, 30000), to("sizes", 0, 10))
	if e := only(t, err); e.Index != 1 || e.Class() != processor.ClassPermanent || e.Outcome != delivery.OutcomeNotSent {
		t.Errorf("error %v", err)
	}
	if n := len(r.written(t, "sizes")); n != 2 {
		t.Errorf("%d records, want the two good ones", n)
	}
}

func (r *real) tooLargeForTheTopic(t *testing.T) {
	r.topic(t, cluster.TopicSpec{Name: "small", Partitions: 2, Config: map[string]string{"max.message.bytes": "2000"}})
	err := r.send(t, to("small", 0, 10), to("small", 1, 5000), to("small", 0, 10))
	if e := only(t, err); e.Index != 1 || e.Partition != 1 || e.Code != int(kafka.ErrMsgSizeTooLarge) ||
		e.Class() != processor.ClassTransient || !contains(err, "max.message.bytes") {
		t.Errorf("error %v", err)
	}
	// Nothing of it is left in the producer, for its own partition either.
	for range 3 {
		if err := r.send(t, to("small", 0, 10), to("small", 1, 10)); err != nil {
			t.Errorf("good records after it: %v", err)
		}
	}
	if n := len(r.written(t, "small")); n != 8 {
		t.Errorf("%d records, want 8", n)
	}
}

func (r *real) invalidForTheTopic(t *testing.T) {
	r.topic(t, cluster.TopicSpec{Name: "compacted", Config: map[string]string{"cleanup.policy": "compact"}})
	err := r.send(t, to("compacted", 0, 10)) // it has no key
	if e := only(t, err); e.Code != int(kafka.ErrInvalidRecord) || e.Class() != processor.ClassTransient || !contains(err, "needs keys") {
		t.Errorf("error %v", err)
	}
	good := to("compacted", 0, 10)
	good.Key = []byte("k")
	if err := r.send(t, good); err != nil {
		t.Errorf("a good record after it: %v", err)
	}
}

func (r *real) unknownTopicAndPartition(t *testing.T) {
	err := r.send(t, to("nowhere", 0, 10), to("sizes", 9, 10), to("sizes", 0, 10))
	all := failures(err)
	if len(all) != 2 || processor.Classify(err).Class != processor.ClassConfiguration {
		t.Fatalf("error %v", err)
	}
	for _, e := range all {
		if e.Class() != processor.ClassConfiguration || e.Index == 2 {
			t.Errorf("error %v", e)
		}
	}
	// A topic that is created afterwards is found without a new producer.
	r.topic(t, cluster.TopicSpec{Name: "nowhere"})
	deadline := time.Now().Add(20 * time.Second)
	for err = r.send(t, to("nowhere", 0, 10)); err != nil && time.Now().Before(deadline); {
		err = r.send(t, to("nowhere", 0, 10))
	}
	if err != nil {
		t.Errorf("the topic was created: %v", err)
	}
}

func (r *real) nilAndEmpty(t *testing.T) {
	r.topic(t, cluster.TopicSpec{Name: "bytes"})
	cases := []processor.Record{
		{Topic: "bytes"},
		{Topic: "bytes", Key: []byte{}, Value: []byte{}, Headers: []processor.Header{{Key: "a"}, {Key: "b", Value: []byte{}}, {Key: "a", Value: []byte("2")}}},
	}
	if err := r.send(t, cases...); err != nil {
		t.Fatal(err)
	}
	for i, got := range r.written(t, "bytes") {
		want := cases[i]
		if !same(got.Key, want.Key) || !same(got.Value, want.Value) || len(got.Headers) != len(want.Headers) {
			t.Fatalf("record %d: %+v", i, got)
		}
		for j, h := range want.Headers {
			if g := got.Headers[j]; g.Key != h.Key || !same(g.Value, h.Value) {
				t.Errorf("record %d header %d: %+v", i, j, g)
			}
		}
	}
}

// With the broker frozen the queue fills, and Send waits; after the thaw all is
// written, once and in order.
func (r *real) queueFull(t *testing.T) {
	r.topic(t, cluster.TopicSpec{Name: "order"})
	if err := r.Freeze(1); err != nil {
		t.Fatal(err)
	}
	const n = 300
	a := r.producer.Begin()
	sent := make(chan error, 1) // one value
	go func() {
		partition := int32(0)
		for i := range n {
			one := processor.Record{Topic: "order", Partition: &partition, Value: strconv.AppendInt(nil, int64(i), 10)}
			if err := a.Send(context.Background(), i, one); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	full := time.NewTicker(10 * time.Millisecond)
	defer full.Stop()
	for r.producer.Stats().QueueFull == 0 {
		<-full.C
	}
	if open := r.producer.Stats().Open; open != 100 {
		t.Errorf("%d records are open with a queue of 100", open)
	}
	if err := r.Thaw(1); err != nil {
		t.Fatal(err)
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	if err := await(t, a); err != nil {
		t.Fatal(err)
	}
	got := r.written(t, "order")
	if len(got) != n {
		t.Fatalf("%d records, want %d", len(got), n)
	}
	for i, one := range got {
		if string(one.Value) != strconv.Itoa(i) {
			t.Fatalf("record %d is %s", i, one.Value)
		}
	}
}

func (r *real) closeWhileFrozen(t *testing.T) {
	if err := r.Freeze(1); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Thaw(1) }()
	a := r.producer.Begin()
	for i := range 50 {
		if err := a.Send(t.Context(), i, to("sizes", 0, 10)); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := contextFor(t, time.Second)
	defer cancel()
	started := time.Now()
	err := r.producer.Close(ctx)
	if took := time.Since(started); !errors.Is(err, delivery.ErrUndelivered) || errors.Is(err, delivery.ErrAbandoned) || took > 4*time.Second {
		t.Errorf("close: %v after %v", err, took)
	}
	if got := await(t, a); len(failures(got)) != 50 || processor.Classify(got).Class != processor.ClassInfrastructure {
		t.Errorf("attempt: %v", got)
	}
}
