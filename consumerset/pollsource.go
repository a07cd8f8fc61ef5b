package consumerset

import (
	"sync"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/processor"
)

// pollTellEvery is how many messages a lane is not told of at most while Poll
// brings more: a lane that is as fast as Poll would be woken for each.
const pollTellEvery = 64

// pollSource fills feeds from the client's Poll, and pauses those that are full.
type pollSource struct {
	client    client
	highBytes int64
	feeds     map[processor.Partition]*pollFeed
	// paused outlives an assignment: so does the client's pause.
	paused map[processor.Partition]bool
	last   *pollFeed   // that got a message: the next one is mostly for it too
	untold []*pollFeed // have messages that their lanes were not told of

	mu      sync.Mutex
	drained []*pollFeed // paused feeds that have room again
}

func newPollSource(c client, highBytes int64) *pollSource {
	return &pollSource{
		client: c, highBytes: highBytes,
		feeds:  map[processor.Partition]*pollFeed{},
		paused: map[processor.Partition]bool{},
	}
}

func (*pollSource) kind() FeedKind { return FeedPoll }

func (s *pollSource) open(p processor.Partition, next int64, report func(*PartitionError)) (feed, error) {
	f := &pollFeed{source: s, partition: p, report: report, wake: make(chan struct{}, 1)}
	f.wake <- struct{}{}
	f.next.Store(next)
	f.queuedTo = next
	s.feeds[p], s.last = f, nil
	return f, nil
}

// assigned resumes what an earlier assignment left paused, and nothing else.
func (s *pollSource) assigned(ps []processor.Partition) error {
	var list []processor.Partition
	for _, p := range ps {
		if s.paused[p] {
			list = append(list, p)
		}
	}
	return s.resume(list)
}

func (s *pollSource) resume(ps []processor.Partition) error {
	if len(ps) == 0 {
		return nil
	}
	for _, p := range ps {
		delete(s.paused, p)
	}
	return s.client.Resume(topicPartitions(ps))
}

func (s *pollSource) message(m *kafka.Message) error {
	f := s.feedOf(m.TopicPartition)
	if f == nil {
		return nil // of a partition that has been given back
	}
	full := f.push(m, s.highBytes)
	if f.untold == 0 {
		s.untold = append(s.untold, f)
	}
	if f.untold++; f.untold%pollTellEvery == 0 {
		f.signal()
	}
	if full && !s.paused[f.partition] {
		s.paused[f.partition] = true
		return s.client.Pause(topicPartitions([]processor.Partition{f.partition}))
	}
	return nil
}

func (s *pollSource) feedOf(tp kafka.TopicPartition) *pollFeed {
	f := s.last
	if f == nil || f.partition.Partition != tp.Partition || f.partition.Topic != *tp.Topic {
		f = s.feeds[partitionOf(tp)]
		s.last = f
	}
	return f
}

// tell tells the lanes of what came since the last time. It is called before the
// member waits for anything.
func (s *pollSource) tell() {
	for _, f := range s.untold {
		f.untold = 0
		f.signal()
	}
	clear(s.untold)
	s.untold = s.untold[:0]
}

// hasRoom is called by a lane whose feed fell below the low mark.
func (s *pollSource) hasRoom(f *pollFeed) {
	s.mu.Lock()
	s.drained = append(s.drained, f)
	s.mu.Unlock()
}

func (s *pollSource) tick() error {
	s.tell()
	s.mu.Lock()
	drained := s.drained
	s.drained = nil
	s.mu.Unlock()
	var list []processor.Partition
	for _, f := range drained {
		// A feed of an earlier assignment says nothing about this one.
		if s.feeds[f.partition] == f && s.paused[f.partition] {
			list = append(list, f.partition)
			f.resumed()
		}
	}
	return s.resume(list)
}

func (s *pollSource) wakeAll() {}

func (s *pollSource) close() error { return nil }

// fail marks a partition that the client has stopped fetching.
func (s *pollSource) fail(e *PartitionError) {
	if f := s.feeds[processor.Partition{Topic: e.Topic, Partition: e.Partition}]; f != nil {
		f.fail(e)
	}
}

func (s *pollSource) forget(f *pollFeed) {
	if s.feeds[f.partition] == f {
		delete(s.feeds, f.partition)
	}
	if s.last == f {
		s.last = nil
	}
}
