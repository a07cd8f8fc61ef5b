package event

import (
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

// Event is one state change. The types of this package are the only ones.
type Event interface {
	// Name is the constant message that a log line of this event has.
	Name() string
}

// Sink takes events. It is called on the goroutine of whoever changed state, so
// it must be quick, must not block and must be safe for concurrent use.
type Sink func(at time.Time, e Event)

// Discard is a Sink that drops everything.
func Discard(time.Time, Event) {}

// Source names where a partition's event comes from.
type Source struct {
	Member    string
	Partition processor.Partition
	// Epoch is the assignment epoch of the partition on that member.
	Epoch int64
}
