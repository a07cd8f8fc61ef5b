package consumerset

import (
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/consumerset/queue"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// feed is one partition's messages for one assignment, as the member sees it.
type feed interface {
	lane.Feed
	// Next is the offset after the last message handed out.
	Next() int64
	// Close ends reading, for good; it waits for a Read that runs.
	Close()
	// Disarm ends wake-ups.
	Disarm()
	// Release frees what is queued, after Close and after the unassign.
	Release()
	// Forget frees what is left, when the client is closed.
	Forget()
}

// source makes the feeds of one client. All its methods are the member's.
type source interface {
	kind() FeedKind
	// open makes a feed, before the client's assign call.
	open(p processor.Partition, next int64, report func(*PartitionError)) (feed, error)
	// assigned is told of partitions that the client has been assigned.
	assigned(ps []processor.Partition) error
	// message takes what came from Poll.
	message(m *kafka.Message) error
	// tell tells the lanes of messages that came; before the member waits.
	tell()
	// tick does what is due; every round of the loop.
	tick() error
	// wakeAll prompts a read of every feed.
	wakeAll()
	// close is called last.
	close() error
}

// queueSource has one client queue per partition.
type queueSource struct {
	hub  *queue.Hub
	next map[processor.Partition]func() int64
}

func (*queueSource) kind() FeedKind { return FeedQueue }

func (s *queueSource) open(p processor.Partition, next int64, report func(*PartitionError)) (feed, error) {
	f, err := s.hub.Open(p.Topic, p.Partition, next, report)
	if err != nil {
		return nil, err
	}
	if s.next == nil {
		s.next = map[processor.Partition]func() int64{}
	}
	s.next[p] = f.Next
	return f, nil
}

func (*queueSource) assigned([]processor.Partition) error { return nil }

// message must not happen: a partition's messages come by its queue. One that was
// handed out already does no harm, any other would be skipped.
func (s *queueSource) message(m *kafka.Message) error {
	p, offset := partitionOf(m.TopicPartition), int64(m.TopicPartition.Offset)
	if next := s.next[p]; next != nil && offset < next() {
		return nil
	}
	return stale(p.Topic, p.Partition, offset)
}

func (*queueSource) tell() {}

func (*queueSource) tick() error { return nil }

func (s *queueSource) wakeAll() { s.hub.WakeAll() }

func (s *queueSource) close() error { return s.hub.Close() }

// partitionOf and topicPartition translate between the client's words and ours.
func partitionOf(tp kafka.TopicPartition) processor.Partition {
	return processor.Partition{Topic: *tp.Topic, Partition: tp.Partition}
}

func topicPartition(p processor.Partition, offset int64) kafka.TopicPartition {
	return kafka.TopicPartition{Topic: &p.Topic, Partition: p.Partition, Offset: kafka.Offset(offset)}
}

func topicPartitions(ps []processor.Partition) []kafka.TopicPartition {
	out := make([]kafka.TopicPartition, len(ps))
	for i, p := range ps {
		out[i] = topicPartition(p, int64(kafka.OffsetInvalid))
	}
	return out
}
