package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/cluster"
)

const (
	// valueBytes is the size of a message's value; it has no key.
	valueBytes = 100
	// fillChunk is how many records one call of Produce takes.
	fillChunk = 100_000
)

// broker is the cluster that everything is measured on.
type broker struct {
	o       options
	cluster *cluster.Cluster
	runs    int
}

func newBroker(ctx context.Context, o options) (*broker, error) {
	c, err := cluster.Run(ctx, cluster.Config{Brokers: o.brokers, HeapBytes: 1 << 30})
	if err != nil {
		return nil, fmt.Errorf("start kafka: %w", err)
	}
	return &broker{o: o, cluster: c}, nil
}

func (b *broker) close() error { return b.cluster.Close() }

// fill makes the table's input: the front of a value is its id, from 1, and the
// partitions take turns.
func (b *broker) fill(ctx context.Context, t *table) error {
	t.input = fmt.Sprintf("in-%d", t.messages)
	t.messages -= t.messages % b.o.partitions
	if err := b.topic(ctx, t.input); err != nil {
		return err
	}
	for id := 0; id < t.messages; {
		recs := make([]cluster.Record, min(fillChunk, t.messages-id))
		for i := range recs {
			recs[i] = cluster.Record{Partition: int32(id % b.o.partitions), Value: make([]byte, valueBytes)}
			id++
			binary.BigEndian.PutUint64(recs[i].Value, uint64(id))
		}
		if err := b.cluster.Produce(ctx, t.input, recs); err != nil {
			return err
		}
	}
	return nil
}

func (b *broker) topic(ctx context.Context, name string) error {
	return b.cluster.CreateTopic(ctx, cluster.TopicSpec{Name: name, Partitions: b.o.partitions})
}

// verdict compares what a loop wrote with what it was given, and removes it.
func (b *broker) verdict(ctx context.Context, input, output string) (string, error) {
	in, err := b.stream(ctx, input)
	if err != nil {
		return "", err
	}
	out, err := b.stream(ctx, output)
	if err != nil {
		return "", err
	}
	return judged(kafkatest.Compare(in, out)), b.cluster.DeleteTopic(ctx, output)
}

func (b *broker) stream(ctx context.Context, topic string) (*kafkatest.Stream, error) {
	var s kafkatest.Stream
	bad := 0
	err := b.cluster.ReadTo(ctx, topic, func(r cluster.Record) {
		if len(r.Value) != valueBytes {
			bad++
			return
		}
		s.Add(r.Partition, int64(binary.BigEndian.Uint64(r.Value)))
	})
	if bad > 0 {
		err = errors.Join(err, fmt.Errorf("topic %s has %d values of another size", topic, bad))
	}
	return &s, err
}

// judged is a verdict in the words of the table.
func judged(d *kafkatest.Diff) string {
	return fmt.Sprintf("lost %d, out of order %d, duplicates %d", d.Missing+d.Unexpected+d.Repeated, d.OutOfOrder, d.Duplicates)
}
