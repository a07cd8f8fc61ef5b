package embedded

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kfake"
)

// CreateTopic creates a topic; configs may be nil.
func (b *Broker) CreateTopic(name string, partitions int, configs map[string]string) error {
	if err := b.cluster.CreateTopic(name, int32(partitions), configs); err != nil {
		return fmt.Errorf("create topic %s: %w", name, err)
	}
	return nil
}

// DeleteTopic deletes a topic and the groups' commits for it.
func (b *Broker) DeleteTopic(name string) error {
	if err := b.cluster.DeleteTopic(name); err != nil {
		return fmt.Errorf("delete topic %s: %w", name, err)
	}
	return nil
}

// EndOffsets returns the end of each partition's log.
func (b *Broker) EndOffsets(topic string) (map[int32]int64, error) {
	return b.offsets(topic, func(p *kfake.PartitionInfo) int64 { return p.HighWatermark })
}

// StartOffsets returns the start of each partition's log.
func (b *Broker) StartOffsets(topic string) (map[int32]int64, error) {
	return b.offsets(topic, func(p *kfake.PartitionInfo) int64 { return p.LogStartOffset })
}

func (b *Broker) offsets(topic string, of func(*kfake.PartitionInfo) int64) (map[int32]int64, error) {
	infos := b.cluster.PartitionInfos(topic)
	if len(infos) == 0 {
		return nil, fmt.Errorf("look up offsets of %s: %w", topic, ErrNoSuchTopic)
	}
	out := make(map[int32]int64, len(infos))
	for _, p := range infos {
		out[p.Partition] = of(p)
	}
	return out, nil
}

// CommittedOffsets returns what a group has committed for a topic.
func (b *Broker) CommittedOffsets(group, topic string) map[int32]int64 {
	out := map[int32]int64{}
	if info := b.cluster.GroupInfo(group); info != nil {
		for p, c := range info.Commits[topic] {
			out[p] = c.Offset
		}
	}
	return out
}

// Stable waits until a group is stable with so many members; -1 is any number.
func (b *Broker) Stable(ctx context.Context, group string, members int) error {
	if _, err := b.cluster.WaitGroupStable(ctx, group, members); err != nil {
		return fmt.Errorf("wait for group %s with %d members: %w", group, members, err)
	}
	return nil
}

// MoveLeader moves the leader of a partition to a broker (from 0).
func (b *Broker) MoveLeader(topic string, partition, broker int32) error {
	if err := b.cluster.MoveTopicPartition(topic, partition, broker); err != nil {
		return fmt.Errorf("move leader of %s/%d to broker %d: %w", topic, partition, broker, err)
	}
	return nil
}
