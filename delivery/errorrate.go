package delivery

import (
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/event"
)

// errorEvery is how often the same code is told: an outage brings many per second.
const errorEvery = 10 * time.Second

// errorRate collects the client's errors by code. The number of codes bounds it.
type errorRate map[kafka.ErrorCode]*errorCount

type errorCount struct {
	latest kafka.Error
	count  int       // since the last event
	told   time.Time // of the last event
}

// note counts one error.
func (r errorRate) note(e kafka.Error, now time.Time) {
	c := r[e.Code()]
	if c == nil {
		c = &errorCount{told: now.Add(-errorEvery)}
		r[e.Code()] = c
	}
	c.latest = e
	c.count++
}

// due returns the events that may be sent now: per code the latest error and
// how many it stands for.
func (r errorRate) due(now time.Time) []event.ClientError {
	var events []event.ClientError
	for _, c := range r {
		if c.count > 0 && now.Sub(c.told) >= errorEvery {
			events = append(events, clientEvent(c.latest, c.count))
			c.count, c.told = 0, now
		}
	}
	return events
}
