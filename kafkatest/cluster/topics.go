package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
)

// TopicSpec describes a topic to create.
type TopicSpec struct {
	Name              string
	Partitions        int               // zero: 1
	ReplicationFactor int               // zero: the number of brokers
	Config            map[string]string // topic properties
}

// CreateTopic creates a topic and returns when every partition has a leader and
// all its replicas are in sync.
func (c *Cluster) CreateTopic(ctx context.Context, spec TopicSpec) error {
	if spec.Partitions == 0 {
		spec.Partitions = 1
	}
	if spec.ReplicationFactor == 0 {
		spec.ReplicationFactor = c.cfg.Brokers
	}
	config := map[string]*string{}
	for k, v := range spec.Config {
		config[k] = &v
	}
	_, err := c.admin.CreateTopic(ctx, int32(spec.Partitions), int16(spec.ReplicationFactor), config, spec.Name)
	if err != nil {
		return fmt.Errorf("create topic %s: %w", spec.Name, err)
	}
	err = c.until(ctx, func(ctx context.Context) error { return c.topicReady(ctx, spec) })
	if err != nil {
		return fmt.Errorf("create topic %s: %w", spec.Name, err)
	}
	return nil
}

// topicReady returns nil when clients can use the topic.
func (c *Cluster) topicReady(ctx context.Context, spec TopicSpec) error {
	m, err := c.metadata(ctx, spec.Name)
	if err != nil {
		return err
	}
	t := m.Topics[spec.Name]
	if t.Err != nil {
		return fmt.Errorf("read metadata: %w", t.Err)
	}
	if len(t.Partitions) != spec.Partitions {
		return fmt.Errorf("%d of %d partitions", len(t.Partitions), spec.Partitions)
	}
	for _, p := range t.Partitions {
		if p.Err != nil || p.Leader < 0 {
			return fmt.Errorf("partition %d has no leader: %w", p.Partition, errors.Join(kerr.LeaderNotAvailable, p.Err))
		}
		if len(p.ISR) != spec.ReplicationFactor {
			return fmt.Errorf("partition %d has %d of %d replicas in sync", p.Partition, len(p.ISR), spec.ReplicationFactor)
		}
	}
	// The leaders answer for their partitions only when they know them.
	ends, err := c.admin.ListEndOffsets(ctx, spec.Name)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		return fmt.Errorf("ask the leaders: %w", err)
	}
	return nil
}

// DeleteTopic deletes a topic and returns when it is out of the metadata.
func (c *Cluster) DeleteTopic(ctx context.Context, topic string) error {
	if _, err := c.admin.DeleteTopic(ctx, topic); err != nil {
		return fmt.Errorf("delete topic %s: %w", topic, err)
	}
	err := c.until(ctx, func(ctx context.Context) error {
		m, err := c.metadata(ctx, topic)
		if err != nil {
			return err
		}
		if errors.Is(m.Topics[topic].Err, kerr.UnknownTopicOrPartition) {
			return nil
		}
		return errors.New("topic is still in the metadata")
	})
	if err != nil {
		return fmt.Errorf("delete topic %s: %w", topic, err)
	}
	return nil
}
