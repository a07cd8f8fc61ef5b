package embedded

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pitlane-go/pitlane/processor"
)

// ByKey as a record's partition lets the key choose, as Java clients do.
const ByKey = int32(-1)

// Record is a record of a topic. Topic and Offset are set when it was written or
// read.
type Record struct {
	Topic     string
	Partition int32
	Offset    int64
	Key       []byte
	Value     []byte
	Headers   []processor.Header
	Timestamp time.Time
}

// Produce writes records and sets their Topic, Partition, Offset and Timestamp.
// When it returns nil, all are acknowledged, in this order per partition.
func (b *Broker) Produce(ctx context.Context, topic string, records ...*Record) error {
	in := make([]*kgo.Record, len(records))
	for i, r := range records {
		in[i] = &kgo.Record{Topic: topic, Partition: r.Partition, Key: r.Key, Value: r.Value, Timestamp: r.Timestamp}
		for _, h := range r.Headers {
			in[i].Headers = append(in[i].Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
		}
	}
	if err := b.client.ProduceSync(ctx, in...).FirstErr(); err != nil {
		return fmt.Errorf("produce to %s: %w", topic, err)
	}
	for i, r := range records {
		r.Topic, r.Partition, r.Offset, r.Timestamp = topic, in[i].Partition, in[i].Offset, in[i].Timestamp
	}
	return nil
}

// ReadAll returns everything from the start of a topic to its end as it is now:
// per partition in order, the partitions mixed.
func (b *Broker) ReadAll(ctx context.Context, topic string) ([]Record, error) {
	var out []Record
	err := b.ReadTo(ctx, topic, func(r Record) { out = append(out, r) })
	return out, err
}

// ReadTo is ReadAll that calls f for each record.
func (b *Broker) ReadTo(ctx context.Context, topic string, f func(Record)) error {
	starts, err := b.StartOffsets(topic)
	if err != nil {
		return err
	}
	ends, err := b.EndOffsets(topic)
	if err != nil {
		return err
	}
	from := map[int32]kgo.Offset{}
	for p, end := range ends {
		if starts[p] >= end {
			delete(ends, p)
			continue
		}
		from[p] = kgo.NewOffset().At(starts[p])
	}
	if len(from) == 0 {
		return nil
	}
	client, err := kgo.NewClient(
		kgo.SeedBrokers(b.addrs...), kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: from}),
		kgo.KeepControlRecords(), kgo.FetchMaxWait(100*time.Millisecond),
	)
	if err != nil {
		return fmt.Errorf("read %s: make client: %w", topic, err)
	}
	defer client.Close()
	for len(ends) > 0 {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err0(); err != nil {
			return fmt.Errorf("read %s: %w", topic, err)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			end, ok := ends[r.Partition]
			if ok && !r.Attrs.IsControl() {
				f(recordOf(r))
			}
			if r.Offset+1 >= end {
				delete(ends, r.Partition)
			}
		})
	}
	return nil
}

func recordOf(r *kgo.Record) Record {
	out := Record{
		Topic: r.Topic, Partition: r.Partition, Offset: r.Offset,
		Key: r.Key, Value: r.Value, Timestamp: r.Timestamp,
	}
	for _, h := range r.Headers {
		out.Headers = append(out.Headers, processor.Header{Key: h.Key, Value: h.Value})
	}
	return out
}

// explicitOrByKey is kgo's partitioner by key, but for records that name their
// partition.
func explicitOrByKey() kgo.Partitioner { return partitioner{kgo.StickyKeyPartitioner(nil)} }

type partitioner struct{ byKey kgo.Partitioner }

// ForTopic implements kgo.Partitioner.
func (p partitioner) ForTopic(topic string) kgo.TopicPartitioner {
	return topicPartitioner{p.byKey.ForTopic(topic)}
}

type topicPartitioner struct{ byKey kgo.TopicPartitioner }

// RequiresConsistency implements kgo.TopicPartitioner.
func (topicPartitioner) RequiresConsistency(*kgo.Record) bool { return true }

// Partition implements kgo.TopicPartitioner.
func (p topicPartitioner) Partition(r *kgo.Record, n int) int {
	if r.Partition >= 0 {
		return int(r.Partition)
	}
	return p.byKey.Partition(r, n)
}
