package embedded_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/embedded"
	"github.com/pitlane-go/pitlane/processor"
)

// loop is a bare consumer that copies "in" to "out" and commits after each
// message, or before it.
type loop struct {
	t           *testing.T
	consumer    *consumer
	producer    *kafka.Producer
	processor   processor.Processor
	commitFirst bool
}

// Send implements processor.Sender: it waits for the report.
func (l *loop) Send(_ context.Context, _ int, r processor.Record) error {
	reportCh := make(chan kafka.Event, 1) // one report
	if err := l.producer.Produce(&kafka.Message{
		TopicPartition: kafka.TopicPartition{Topic: &r.Topic, Partition: *r.Partition}, Value: r.Value,
	}, reportCh); err != nil {
		return err
	}
	if m, ok := (<-reportCh).(*kafka.Message); ok {
		return m.TopicPartition.Error
	}
	return nil
}

func (l *loop) run(ctx context.Context, n int) {
	l.t.Helper()
	values := map[int32]processor.Processor{}
	for range n {
		m := l.consumer.read(ctx, 1)[0]
		at := processor.Partition{Topic: *m.TopicPartition.Topic, Partition: m.TopicPartition.Partition}
		if values[at.Partition] == nil {
			values[at.Partition] = processor.ForPartition(l.processor, at)
		}
		message := &processor.Message{
			Topic: at.Topic, Partition: at.Partition, Offset: int64(m.TopicPartition.Offset), Value: m.Value,
		}
		message.Bind(l, 0, 1)
		if l.commitFirst {
			l.commit(m)
		}
		if err := processor.Call(ctx, values[at.Partition], message); err != nil {
			l.t.Fatal(err)
		}
		if !l.commitFirst {
			l.commit(m)
		}
	}
}

func (l *loop) commit(m *kafka.Message) {
	if _, err := l.consumer.CommitMessage(m); err != nil {
		l.t.Fatal(err)
	}
}

func idOf(value []byte) int64 { return int64(binary.BigEndian.Uint64(value)) }

// watch runs the loop on a fresh broker and returns its history.
func watch(t *testing.T, commitFirst bool) *kafkatest.History {
	t.Helper()
	const n = 40
	ctx, h := deadline(t), kafkatest.NewHistory()
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"in": 2, "out": 2}})
	for i := range n {
		r := &embedded.Record{Partition: int32(i % 2), Value: binary.BigEndian.AppendUint64(nil, uint64(i+1))}
		if err := b.Produce(ctx, "in", r); err != nil {
			t.Fatal(err)
		}
		h.Produced(idOf(r.Value), kafkatest.Position{Topic: "in", Partition: r.Partition, Offset: r.Offset}, "")
	}
	forward := processor.Func(func(ctx context.Context, m *processor.Message) error {
		return m.Send(ctx, processor.Record{Topic: "out", Partition: &m.Partition, Value: m.Value})
	})
	witness := kafkatest.NewWitness(h, "a", func(m *processor.Message) int64 { return idOf(m.Value) })
	l := &loop{
		t: t, consumer: newConsumer(t, b, protocols()["range"]), producer: newProducer(t, b, nil),
		processor: witness.Process(forward), commitFirst: commitFirst,
	}
	if err := l.consumer.Subscribe("in", nil); err != nil {
		t.Fatal(err)
	}
	l.run(ctx, n)
	if err := b.ReadTo(ctx, "out", func(r embedded.Record) {
		h.Output(kafkatest.Output{ID: idOf(r.Value), At: kafkatest.Position{Topic: r.Topic, Partition: r.Partition, Offset: r.Offset}})
	}); err != nil {
		t.Fatal(err)
	}
	b.NoteCommits(h, "g")
	return h
}

func TestTheCheckerAcceptsALoopThatCommitsAfterwards(t *testing.T) {
	r := kafkatest.Check(watch(t, false), kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	if r.Inputs != 40 || r.Runs != 40 || r.Outputs != 40 || r.Commits != 40 {
		t.Fatalf("judged %+v", r)
	}
}

func TestTheCheckerRefusesALoopThatCommitsFirst(t *testing.T) {
	// The clocks are one and the same, so that a nanosecond is a fair allowance.
	r := kafkatest.Check(watch(t, true), kafkatest.Options{Slack: 1})
	if r.Count(kafkatest.NameCommittedPastUnsettled) < 20 {
		t.Fatalf("%s: %v", r, r.Err())
	}
}
