package consumerset

import (
	"fmt"
	"strings"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/event"
)

// topicsEvery is the time between two looks for topics that were unknown.
const topicsEvery = 5 * time.Second

// unwell tells the owner of the set of trouble; well tells that it is over, if it
// was told of.
func (m *Member) unwell(reason string, cause error) {
	m.troubles[reason] = true
	m.cfg.Unhealthy(reason, cause)
}

func (m *Member) well(reason string) {
	if m.troubles[reason] {
		delete(m.troubles, reason)
		m.cfg.Healthy(reason)
	}
}

// checkTopics finds out, beside the loop, whether the topics of the subscription
// are there by now. The client's error does not name the topic.
func (m *Member) checkTopics(now time.Time) {
	if !m.troubles[ReasonUnknownTopic] || m.asking > 0 || m.stop.draining || now.Before(m.topicsAt) {
		return
	}
	m.topicsAt = now.Add(topicsEvery)
	m.asking++
	c := m.client
	// A pattern that matches nothing is unknown too: it does once something of it
	// is assigned.
	matched := len(m.slots) > 0
	go func() {
		known := true
		for _, topic := range m.cfg.Topics {
			if strings.HasPrefix(topic, "^") {
				known = known && matched
			} else {
				known = known && topicKnown(c, topic)
			}
		}
		m.box.post(func() {
			m.asking--
			if known {
				m.well(ReasonUnknownTopic)
			}
		})
	}()
}

func topicKnown(c offsetReader, topic string) bool {
	md, err := c.GetMetadata(&topic, false, int(listTimeout.Milliseconds()))
	if err != nil {
		return false
	}
	t, ok := md.Topics[topic]
	return ok && t.Error.Code() == kafka.ErrNoError && len(t.Partitions) > 0
}

func (m *Member) onError(e kafka.Error) {
	if e.IsFatal() {
		m.emit(event.ClientError{Client: m.name, Code: int(e.Code()), Fatal: true, Count: 1, Cause: e})
		m.fail(fmt.Errorf("%w: %w", ErrFatal, e))
		return
	}
	m.reportError(int(e.Code()), e)
	if m.source.kind() == FeedPoll && unreadable(e.Code()) {
		m.fail(fmt.Errorf("%w: %w", ErrUnreadable, e))
		return
	}
	if e.Code() == kafka.ErrAutoOffsetReset {
		m.suspects = true // where messages come by Poll the statistics tell which one
	}
	if reason := trouble(e.Code()); reason != "" {
		m.unwell(reason, e)
	}
}

// unreadable tells whether the client skips records after an error with this code.
// Where each partition has its own queue, the queue's feed ends there.
func unreadable(c kafka.ErrorCode) bool {
	switch c {
	case kafka.ErrBadMsg, kafka.ErrBadCompression, kafka.ErrUnsupportedCompressionType, kafka.ErrNotImplemented:
		return true
	default:
		return false
	}
}

// onPartitionError is what a feed reports, on a lane's goroutine.
func (m *Member) onPartitionError(e *PartitionError) {
	m.box.post(func() {
		m.reportError(e.Code, e)
		if reason := trouble(kafka.ErrorCode(e.Code)); reason != "" {
			m.unwell(reason, e)
		}
	})
}

func (m *Member) reportError(code int, cause error) {
	if r, ok := m.errs.add(time.Now(), code, cause); ok {
		m.emit(event.ClientError{Client: m.name, Code: r.code, Count: r.count, Cause: r.cause})
	}
}

func (m *Member) onStats(text string) {
	s, err := parseStats(text)
	if err != nil {
		m.reportError(int(kafka.ErrBadMsg), err)
		return
	}
	if m.suspects {
		m.findDead(s, m.stats)
	}
	m.stats = s
	m.view.setStats(s, m.cfg.ReadUncommitted)
}

// findDead looks for partitions that the client has stopped fetching, in two
// statistics one after the other. Where messages come by Poll, an error names no
// partition.
func (m *Member) findDead(now, before clientStats) {
	src, ok := m.source.(*pollSource)
	if !ok {
		m.suspects = false // the queue has told its lane
		return
	}
	earlier := before.partitions()
	for p, s := range now.partitions() {
		sl := m.slots[p]
		if sl == nil || !sl.assigned || s.FetchState != "none" || earlier[p].FetchState != "none" {
			continue
		}
		m.suspects = false
		src.fail(outOfRange(p, sl.feed.Next()))
	}
}
