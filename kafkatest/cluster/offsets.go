package cluster

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kadm"
)

// Partition names one partition of a topic.
type Partition struct {
	Topic     string
	Partition int32
}

// Committed is the present commit of a group for one partition.
type Committed struct {
	Offset   int64
	Metadata string
}

// StartOffsets are the first offsets of a topic's partitions.
func (c *Cluster) StartOffsets(ctx context.Context, topic string) (map[int32]int64, error) {
	return offsetsOf(topic)(c.admin.ListStartOffsets(ctx, topic))
}

// EndOffsets are the offsets after the last record that is replicated (the high
// watermarks) of a topic's partitions.
func (c *Cluster) EndOffsets(ctx context.Context, topic string) (map[int32]int64, error) {
	return offsetsOf(topic)(c.admin.ListEndOffsets(ctx, topic))
}

// stableOffsets are the ends for a reader that skips open transactions.
func (c *Cluster) stableOffsets(ctx context.Context, topic string) (map[int32]int64, error) {
	return offsetsOf(topic)(c.admin.ListCommittedOffsets(ctx, topic))
}

// CommittedOffsets are the present commits of a group, none for a group that has
// never committed.
func (c *Cluster) CommittedOffsets(ctx context.Context, group string) (map[Partition]Committed, error) {
	resp, err := c.admin.FetchOffsets(ctx, group)
	if err == nil {
		err = resp.Error()
	}
	if err != nil {
		return nil, fmt.Errorf("read commits of group %s: %w", group, err)
	}
	out := map[Partition]Committed{}
	resp.Each(func(o kadm.OffsetResponse) {
		if o.At >= 0 {
			out[Partition{o.Topic, o.Partition}] = Committed{Offset: o.At, Metadata: o.Metadata}
		}
	})
	return out, nil
}

func offsetsOf(topic string) func(kadm.ListedOffsets, error) (map[int32]int64, error) {
	return func(listed kadm.ListedOffsets, err error) (map[int32]int64, error) {
		if err == nil {
			err = listed.Error()
		}
		if err != nil {
			return nil, fmt.Errorf("list offsets of topic %s: %w", topic, err)
		}
		out := map[int32]int64{}
		for p, o := range listed[topic] {
			out[p] = o.Offset
		}
		return out, nil
	}
}
