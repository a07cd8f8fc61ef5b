package consumerset

import (
	"fmt"
	"sync"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/processor"
)

const (
	// committedTimeout bounds one request for committed offsets. It is the longest
	// time that an assign callback blocks.
	committedTimeout = 3 * time.Second
	// listTimeout bounds one request for start or end offsets.
	listTimeout = 3 * time.Second
	// lookupPause is the time between two rounds of lookups.
	lookupPause = 200 * time.Millisecond
	// listAtOnce is how many partitions are asked for one by one at the same time.
	listAtOnce = 8
)

// resolution is where a partition starts, or why that is not known.
type resolution struct {
	partition processor.Partition
	offset    int64
	from      string
	// committed tells that the offset is the group's own.
	committed bool
	// err: errUnanswered is asked for again; ErrNoStart stays.
	err error
}

// lookup asks for offsets. It has no state and runs beside the member.
type lookup struct {
	client offsetReader
	start  Start
}

// committed asks once for the group's offsets. Partitions that have none, and those
// without an answer, come with errNoCommit and errUnanswered.
func (l lookup) committed(ps []processor.Partition) (found []resolution, none, unanswered []processor.Partition, err error) {
	got, err := l.client.Committed(topicPartitions(ps), int(committedTimeout.Milliseconds()))
	if err != nil {
		return nil, nil, ps, err
	}
	for _, tp := range got {
		p := partitionOf(tp)
		switch {
		case tp.Error != nil:
			unanswered, err = append(unanswered, p), tp.Error
		case tp.Offset >= 0:
			found = append(found, resolution{partition: p, offset: int64(tp.Offset), from: "committed", committed: true})
		default:
			none = append(none, p)
		}
	}
	return found, none, unanswered, err
}

// resolve asks for everything that is needed to start the partitions.
func (l lookup) resolve(ps []processor.Partition) []resolution {
	out, none, unanswered, err := l.committed(ps)
	for _, p := range unanswered {
		out = append(out, resolution{partition: p, err: fmt.Errorf("%w: %w", errUnanswered, err)})
	}
	for topic, ps := range byTopic(none) {
		out = append(out, l.first(topic, ps)...)
	}
	return out
}

// first finds the start of partitions for which the group has no commit.
func (l lookup) first(topic string, ps []processor.Partition) []resolution {
	logical, from := kafka.OffsetBeginning, string(StartEarliest)
	switch l.start {
	case StartNone:
		return all(ps, ErrNoStart)
	case StartLatest:
		fresh, err := l.fresh(topic)
		if err != nil {
			return all(ps, fmt.Errorf("%w: %w", errUnanswered, err))
		}
		// A topic with any commit has been read before: this partition was added
		// since then, and the end would skip what is in it.
		if fresh {
			logical, from = kafka.OffsetEnd, string(StartLatest)
		}
	case StartEarliest:
	}
	out := l.list(ps, logical)
	for i := range out {
		out[i].from = from
	}
	return out
}

// fresh tells whether the group has no commit at all for the topic.
func (l lookup) fresh(topic string) (bool, error) {
	md, err := l.client.GetMetadata(&topic, false, int(listTimeout.Milliseconds()))
	if err != nil {
		return false, err
	}
	t := md.Topics[topic]
	if t.Error.Code() != kafka.ErrNoError {
		return false, t.Error
	}
	ps := make([]processor.Partition, len(t.Partitions))
	for i := range t.Partitions {
		ps[i] = processor.Partition{Topic: topic, Partition: t.Partitions[i].ID}
	}
	found, _, unanswered, err := l.committed(ps)
	switch {
	case len(found) > 0:
		return false, nil
	case len(unanswered) > 0 || len(ps) == 0:
		return false, fmt.Errorf("ask for the commits of %s: %w", topic, err)
	}
	return true, nil
}

// list asks for the first or last offsets of the partitions: all in one call, and
// one by one when that fails, because one unreachable leader fails the whole call.
func (l lookup) list(ps []processor.Partition, logical kafka.Offset) []resolution {
	if out, err := l.listOnce(ps, logical); err == nil {
		return out
	} else if len(ps) == 1 {
		return all(ps, fmt.Errorf("%w: %w", errUnanswered, err))
	}
	out := make([]resolution, len(ps))
	limit := make(chan struct{}, listAtOnce)
	var wg sync.WaitGroup
	for i, p := range ps {
		wg.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			one, err := l.listOnce([]processor.Partition{p}, logical)
			if err != nil {
				one = all([]processor.Partition{p}, fmt.Errorf("%w: %w", errUnanswered, err))
			}
			out[i] = one[0]
		})
	}
	wg.Wait()
	return out
}

func (l lookup) listOnce(ps []processor.Partition, logical kafka.Offset) ([]resolution, error) {
	ask := make([]kafka.TopicPartition, len(ps))
	for i, p := range ps {
		ask[i] = topicPartition(p, int64(logical))
	}
	got, err := l.client.OffsetsForTimes(ask, int(listTimeout.Milliseconds()))
	if err != nil {
		return nil, err
	}
	out := make([]resolution, 0, len(got))
	for _, tp := range got {
		r := resolution{partition: partitionOf(tp), offset: int64(tp.Offset)}
		switch {
		case tp.Error != nil:
			r.err = fmt.Errorf("%w: %w", errUnanswered, tp.Error)
		case tp.Offset < 0:
			// A negative offset without an error means that the leader cannot be
			// reached, never that there is nothing.
			r.err = errUnanswered
		}
		out = append(out, r)
	}
	return out, nil
}

func all(ps []processor.Partition, err error) []resolution {
	out := make([]resolution, len(ps))
	for i, p := range ps {
		out[i] = resolution{partition: p, offset: -1, err: err}
	}
	return out
}

func byTopic(ps []processor.Partition) map[string][]processor.Partition {
	m := map[string][]processor.Partition{}
	for _, p := range ps {
		m[p.Topic] = append(m[p.Topic], p)
	}
	return m
}
