package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

// Leader is the id of the broker that leads the partition, 0 when there is none.
func (c *Cluster) Leader(ctx context.Context, topic string, partition int32) (int, error) {
	p, err := c.partition(ctx, topic, partition)
	if err != nil {
		return 0, err
	}
	return max(int(p.Leader), 0), nil
}

// MoveLeader makes a broker the leader of a partition, without a stop of any
// broker, and returns when it is. A broker without a replica gets one: it takes
// the place of the last one. The broker has to run.
func (c *Cluster) MoveLeader(ctx context.Context, topic string, partition int32, broker int) error {
	if _, err := c.node(broker); err != nil {
		return err
	}
	if err := c.moveLeader(ctx, topic, partition, int32(broker)); err != nil {
		return fmt.Errorf("move leader of %s/%d to broker %d: %w", topic, partition, broker, err)
	}
	return nil
}

func (c *Cluster) moveLeader(ctx context.Context, topic string, partition, broker int32) error {
	p, err := c.partition(ctx, topic, partition)
	if err != nil {
		return err
	}
	if p.Leader == broker {
		return nil
	}
	var assign kadm.AlterPartitionAssignmentsReq
	assign.Assign(topic, partition, preferred(p.Replicas, broker))
	assigned, err := c.admin.AlterPartitionAssignments(ctx, assign)
	if err == nil {
		err = assigned.Error()
	}
	if err != nil {
		return fmt.Errorf("change the order of replicas: %w", err)
	}
	return c.until(ctx, func(ctx context.Context) error { return c.elect(ctx, topic, partition, broker) })
}

// elect asks for the election, which the controller may refuse until the broker's
// replica is in sync, and looks at what came of it.
func (c *Cluster) elect(ctx context.Context, topic string, partition, broker int32) error {
	var set kadm.TopicsSet
	set.Add(topic, partition)
	results, err := c.admin.ElectLeaders(ctx, kadm.ElectPreferredReplica, set)
	if err != nil {
		return fmt.Errorf("elect leader: %w", err)
	}
	if err := results[topic][partition].Err; err != nil && !errors.Is(err, kerr.ElectionNotNeeded) {
		return fmt.Errorf("elect leader: %w", err)
	}
	p, err := c.partition(ctx, topic, partition)
	if err != nil {
		return err
	}
	if p.Leader != broker {
		return fmt.Errorf("broker %d leads", p.Leader)
	}
	return nil
}

// preferred puts broker in front; without a replica it replaces the last one.
func preferred(replicas []int32, broker int32) []int32 {
	rest := slices.DeleteFunc(slices.Clone(replicas), func(r int32) bool { return r == broker })
	if len(rest) == len(replicas) {
		rest = rest[:len(rest)-1]
	}
	return append([]int32{broker}, rest...)
}

func (c *Cluster) partition(ctx context.Context, topic string, partition int32) (kadm.PartitionDetail, error) {
	m, err := c.metadata(ctx, topic)
	if err != nil {
		return kadm.PartitionDetail{}, err
	}
	t := m.Topics[topic]
	if t.Err != nil {
		return kadm.PartitionDetail{}, fmt.Errorf("read metadata of topic %s: %w", topic, t.Err)
	}
	p, ok := t.Partitions[partition]
	if !ok {
		return kadm.PartitionDetail{}, fmt.Errorf("read metadata of %s/%d: %w", topic, partition, kerr.UnknownTopicOrPartition)
	}
	return p, nil
}
