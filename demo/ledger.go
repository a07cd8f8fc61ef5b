package demo

import (
	"sync"

	"github.com/pitlane-go/pitlane/examples/earthquakes/data"
	"github.com/pitlane-go/pitlane/examples/earthquakes/quake"
	"github.com/pitlane-go/pitlane/kafkatest"
)

// ledger knows what was streamed: the checker's number and the position of every
// earthquake, and the end of every partition.
type ledger struct {
	history *kafkatest.History

	mu   sync.Mutex
	ids  map[string]int64
	ends map[int32]int64
	// quiet holds the positions of those that are too weak for an alert.
	quiet map[kafkatest.Position]bool
}

func newLedger(h *kafkatest.History) *ledger {
	return &ledger{history: h, ids: map[string]int64{}, ends: map[int32]int64{}, quiet: map[kafkatest.Position]bool{}}
}

// acknowledged notes an earthquake that the broker has.
func (l *ledger) acknowledged(id string, f data.Feature, at kafkatest.Position) {
	l.mu.Lock()
	number := int64(len(l.ids)) + 1
	l.ids[id] = number
	l.ends[at.Partition] = max(l.ends[at.Partition], at.Offset+1)
	if f.Magnitude < quake.MinMagnitudeDefault {
		l.quiet[at] = true
	}
	l.mu.Unlock()
	l.history.Produced(number, at, f.Network)
}

// produced is how many earthquakes the broker has.
func (l *ledger) produced() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int64(len(l.ids))
}

// end is the offset behind the last earthquake of a partition.
func (l *ledger) end(partition int32) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ends[partition]
}

// busiest is the partition that has the most earthquakes.
func (l *ledger) busiest() (partition int32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p, end := range l.ends {
		if end > l.ends[partition] || end == l.ends[partition] && p < partition {
			partition = p
		}
	}
	return partition
}

// expected tells whether the earthquake at a position has to become an alert.
func (l *ledger) expected(at kafkatest.Position) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.quiet[at]
}

// number returns the checker's number of an earthquake, 0 if it was not streamed.
func (l *ledger) number(id string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ids[id]
}
