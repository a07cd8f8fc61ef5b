package delivery

import (
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/event"
)

// drain reads the client's events until the client closes them. It runs as long
// as the client lives: a full event channel would stop all reports, and Close.
func (g *generation) drain() {
	defer close(g.drained)
	for ev := range g.client.Events() {
		switch e := ev.(type) {
		case *kafka.Message:
			g.report(e)
		case kafka.Error:
			g.clientError(e)
		case *kafka.Stats:
			// They come at a steady pace, so nothing stays untold for long.
			g.tellErrors(time.Now())
		}
	}
}

// report resolves the handle of one delivery report.
func (g *generation) report(m *kafka.Message) {
	defer g.room.signal()
	id, _ := m.Opaque.(uint64)
	h, waiting := g.handles.take(id)
	if !waiting {
		if g.over.Load() {
			g.counters.lateReports.Add(1)
		} else {
			g.counters.unknownReports.Add(1)
		}
		return
	}
	if m.TopicPartition.Error != nil {
		g.counters.failed.Add(1)
		h.attempt.resolve(h.index, g.reported(h, m))
		return
	}
	g.counters.acked.Add(1)
	h.attempt.resolve(h.index, nil)
}

// clientError keeps a fatal error, after which nothing can be sent, and tells
// all others at a limited rate: the client recovers from them by itself.
func (g *generation) clientError(e kafka.Error) {
	now := time.Now()
	if e.IsFatal() {
		if g.fatal.CompareAndSwap(nil, &e) {
			g.room.wake()
			g.events(now, clientEvent(e, 1))
		}
		return
	}
	g.errorRate.note(e, now)
	g.tellErrors(now)
}

func (g *generation) tellErrors(now time.Time) {
	for _, e := range g.errorRate.due(now) {
		g.events(now, e)
	}
}

func clientEvent(e kafka.Error, count int) event.ClientError {
	return event.ClientError{
		Client: "producer",
		Code:   int(e.Code()),
		Fatal:  e.IsFatal(),
		Count:  count,
		Cause:  e,
	}
}
