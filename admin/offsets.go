package admin

import (
	"context"
	"fmt"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/processor"
)

// NoOffset is the offset of a partition of which the group has no commit.
const NoOffset int64 = -1

// Isolation is the isolation level of a question for offsets.
type Isolation string

// The values of Isolation: with read_committed the end is the last stable offset.
const (
	ReadCommitted   Isolation = "read_committed"
	ReadUncommitted Isolation = "read_uncommitted"
)

// Committed is a group's commit for one partition.
type Committed struct {
	// Offset is the next offset to process, or NoOffset.
	Offset int64
	// Metadata is the text that was committed with it.
	Metadata string
	// Err is not nil when this partition could not be looked up.
	Err error
}

// Offset is the start or the end of one partition.
type Offset struct {
	// Offset is the first offset, or the one that the next record gets. It is
	// valid when Err is nil.
	Offset int64
	// Err wraps ErrLeaderUnreachable, ErrUnknownTopic or ErrNotAuthorized.
	Err error
}

// Committed looks up what a group has committed. No membership is needed, and
// the group need not exist. Every partition asked for is in the answer.
func (c *Client) Committed(ctx context.Context, group string, partitions []processor.Partition) (map[processor.Partition]Committed, error) {
	answer := make(map[processor.Partition]Committed, len(partitions))
	if len(partitions) == 0 {
		return answer, nil
	}
	asked := "look up committed offsets of group " + group
	question := []kafka.ConsumerGroupTopicPartitions{{Group: group, Partitions: topicPartitions(partitions)}}
	result, err := ask(ctx, c, asked, func(ctx context.Context, limit time.Duration) (kafka.ListConsumerGroupOffsetsResult, error) {
		return c.admin.ListConsumerGroupOffsets(ctx, question,
			kafka.SetAdminRequestTimeout(limit), kafka.SetAdminRequireStableOffsets(true))
	})
	if isCode(err, kafka.ErrGroupIDNotFound) {
		// Some brokers answer so for a group that has neither members nor commits.
		for _, p := range partitions {
			answer[p] = Committed{Offset: NoOffset}
		}
		return answer, nil
	}
	if err != nil {
		return nil, err
	}
	for _, g := range result.ConsumerGroupsTopicPartitions {
		for _, p := range g.Partitions {
			answer[partitionOf(p)] = committedOf(asked, p)
		}
	}
	for _, p := range partitions {
		if _, ok := answer[p]; !ok {
			answer[p] = Committed{Offset: NoOffset, Err: newError(asked, fmt.Errorf("no answer for partition %d of %s", p.Partition, p.Topic))}
		}
	}
	return answer, nil
}

func committedOf(asked string, p kafka.TopicPartition) Committed {
	if p.Error != nil {
		return Committed{Offset: NoOffset, Err: newError(asked, p.Error)}
	}
	commit := Committed{Offset: max(int64(p.Offset), NoOffset)}
	if p.Metadata != nil {
		commit.Metadata = *p.Metadata
	}
	return commit
}

// StartOffsets looks up the first offset of each partition. Every partition asked
// for is in the answer.
func (c *Client) StartOffsets(ctx context.Context, partitions []processor.Partition, isolation Isolation) (map[processor.Partition]Offset, error) {
	return c.offsets(ctx, "start", kafka.EarliestOffsetSpec, partitions, isolation)
}

// EndOffsets looks up the end of each partition: the offset of the next record,
// or with ReadCommitted the last stable one. Every partition asked for is in the
// answer.
func (c *Client) EndOffsets(ctx context.Context, partitions []processor.Partition, isolation Isolation) (map[processor.Partition]Offset, error) {
	return c.offsets(ctx, "end", kafka.LatestOffsetSpec, partitions, isolation)
}

func (c *Client) offsets(ctx context.Context, which string, spec kafka.OffsetSpec, partitions []processor.Partition, isolation Isolation) (map[processor.Partition]Offset, error) {
	answer := make(map[processor.Partition]Offset, len(partitions))
	if len(partitions) == 0 {
		return answer, nil
	}
	level := kafka.IsolationLevelReadCommitted
	if isolation == ReadUncommitted {
		level = kafka.IsolationLevelReadUncommitted
	}
	question := make(map[kafka.TopicPartition]kafka.OffsetSpec, len(partitions))
	for _, p := range topicPartitions(partitions) {
		question[p] = spec
	}
	result, err := ask(ctx, c, "look up "+which+" offsets", func(ctx context.Context, limit time.Duration) (kafka.ListOffsetsResult, error) {
		return c.admin.ListOffsets(ctx, question, kafka.SetAdminRequestTimeout(limit), kafka.SetAdminIsolationLevel(level))
	})
	if err != nil {
		return nil, err
	}
	for p, info := range result.ResultInfos {
		answer[partitionOf(p)] = offsetOf(which, partitionOf(p), info)
	}
	for _, p := range partitions {
		if _, ok := answer[p]; !ok {
			answer[p] = unreachable(which, p)
		}
	}
	return answer, nil
}

// offsetOf reads one answer. The client answers an unreachable leader with a
// negative offset (-1001) and no error: it never means that nothing is there.
func offsetOf(which string, p processor.Partition, info kafka.ListOffsetsResultInfo) Offset {
	if err := failed(offsetAsked(which, p), info.Error); err != nil {
		return Offset{Offset: NoOffset, Err: err}
	}
	if info.Offset < 0 {
		return unreachable(which, p)
	}
	return Offset{Offset: int64(info.Offset)}
}

func unreachable(which string, p processor.Partition) Offset {
	return Offset{Offset: NoOffset, Err: newError(offsetAsked(which, p), ErrLeaderUnreachable)}
}

func offsetAsked(which string, p processor.Partition) string {
	return fmt.Sprintf("look up the %s of partition %d of %s", which, p.Partition, p.Topic)
}

func topicPartitions(partitions []processor.Partition) []kafka.TopicPartition {
	all := make([]kafka.TopicPartition, len(partitions))
	for i := range partitions {
		all[i] = kafka.TopicPartition{Topic: &partitions[i].Topic, Partition: partitions[i].Partition}
	}
	return all
}

func partitionOf(p kafka.TopicPartition) processor.Partition {
	named := processor.Partition{Partition: p.Partition}
	if p.Topic != nil {
		named.Topic = *p.Topic
	}
	return named
}
