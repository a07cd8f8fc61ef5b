package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// Topic is what the brokers say about one topic.
type Topic struct {
	Name string
	// ID is the topic's id as Kafka's tools print it. It is empty from brokers
	// before 2.8, and in the answer for all topics.
	ID string
	// Partitions are in the order of their number.
	Partitions []Partition
}

// Partition is what the brokers say about one partition.
type Partition struct {
	Partition int32
	// Leader is a broker id, or -1 when there is none.
	Leader   int32
	Replicas []int32
	InSync   []int32
}

// Metadata describes topics, in the order asked for, or all topics by name when
// none is named. Asking does not create a topic. Those that could not be described
// are missing; the error joins one *Error for each of them, which errors.Is finds
// as ErrUnknownTopic or ErrNotAuthorized.
func (c *Client) Metadata(ctx context.Context, topics ...string) ([]Topic, error) {
	if len(topics) == 0 {
		return c.allTopics(ctx)
	}
	asked := "describe " + named("topic", topics)
	described, err := ask(ctx, c, asked, func(ctx context.Context, limit time.Duration) (kafka.DescribeTopicsResult, error) {
		return c.admin.DescribeTopics(ctx, kafka.NewTopicCollectionOfTopicNames(topics), kafka.SetAdminRequestTimeout(limit))
	})
	if err != nil {
		return nil, err
	}
	var found []Topic
	var problems []error
	for _, d := range described.TopicDescriptions {
		if err := failed("describe topic "+d.Name, d.Error); err != nil {
			problems = append(problems, err)
			continue
		}
		found = append(found, topicOf(d))
	}
	slices.SortFunc(found, func(a, b Topic) int {
		return cmp.Compare(slices.Index(topics, a.Name), slices.Index(topics, b.Name))
	})
	return found, errors.Join(problems...)
}

// Topics returns the names of all topics that match a regular expression, sorted,
// those that are internal to Kafka too. The expression is Go's and need not match
// the whole name.
func (c *Client) Topics(ctx context.Context, pattern string) ([]string, error) {
	expression, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("compile topic pattern: %w", err)
	}
	all, err := c.allTopics(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range all {
		if expression.MatchString(t.Name) {
			names = append(names, t.Name)
		}
	}
	return names, nil
}

// TopicIDs returns the ids of topics. A topic that was deleted and created again
// has another one. Errors are as those of Metadata.
func (c *Client) TopicIDs(ctx context.Context, topics []string) (map[string]string, error) {
	ids := make(map[string]string, len(topics))
	if len(topics) == 0 {
		return ids, nil
	}
	found, err := c.Metadata(ctx, topics...)
	for _, t := range found {
		ids[t.Name] = t.ID
	}
	return ids, err
}

func (c *Client) allTopics(ctx context.Context) ([]Topic, error) {
	metadata, err := ask(ctx, c, "list topics", func(_ context.Context, limit time.Duration) (*kafka.Metadata, error) {
		return c.admin.GetMetadata(nil, true, int(limit.Milliseconds())+1)
	})
	if err != nil {
		return nil, err
	}
	topics := make([]Topic, 0, len(metadata.Topics))
	for name, m := range metadata.Topics {
		t := Topic{Name: name}
		for _, p := range m.Partitions {
			t.Partitions = append(t.Partitions, Partition{Partition: p.ID, Leader: p.Leader, Replicas: p.Replicas, InSync: p.Isrs})
		}
		sortPartitions(t.Partitions)
		topics = append(topics, t)
	}
	slices.SortFunc(topics, func(a, b Topic) int { return strings.Compare(a.Name, b.Name) })
	return topics, nil
}

func topicOf(d kafka.TopicDescription) Topic {
	t := Topic{Name: d.Name}
	if d.TopicID.GetMostSignificantBits() != 0 || d.TopicID.GetLeastSignificantBits() != 0 {
		t.ID = d.TopicID.String()
	}
	for _, p := range d.Partitions {
		one := Partition{Partition: int32(p.Partition), Leader: -1, Replicas: nodeIDs(p.Replicas), InSync: nodeIDs(p.Isr)}
		if p.Leader != nil {
			one.Leader = int32(p.Leader.ID)
		}
		t.Partitions = append(t.Partitions, one)
	}
	sortPartitions(t.Partitions)
	return t
}

func nodeIDs(nodes []kafka.Node) []int32 {
	ids := make([]int32, len(nodes))
	for i, n := range nodes {
		ids[i] = int32(n.ID)
	}
	return ids
}

func sortPartitions(p []Partition) {
	slices.SortFunc(p, func(a, b Partition) int { return cmp.Compare(a.Partition, b.Partition) })
}

// named puts a few names into words.
func named(noun string, names []string) string {
	if len(names) == 1 {
		return noun + " " + names[0]
	}
	if len(names) > 3 {
		return fmt.Sprintf("%d %ss", len(names), noun)
	}
	return noun + "s " + strings.Join(names, ", ")
}
