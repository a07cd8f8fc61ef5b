package consumerset

import (
	"sync/atomic"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// slot is one partition in one assignment epoch.
type slot struct {
	source event.Source
	start  int64
	from   string
	feed   feed
	lane   Lane
	// assigned: the client really has it. A partition without a start offset has a
	// lane, which says so, but is not assigned.
	assigned bool
	// lost: the group gave it to somebody else. Nothing of it is committed.
	lost bool
	// committed is the last position that the group has acknowledged, -1 for none.
	// The owner writes it, a status reads it.
	committed atomic.Int64
}

func (s *slot) partition() processor.Partition { return s.source.Partition }

// unsaved returns the position that is not committed yet.
func (s *slot) unsaved() (position int64, ok bool) {
	if !s.assigned || s.lost || s.lane == nil {
		return 0, false
	}
	position = s.lane.Position()
	return position, position >= 0 && position > s.committed.Load()
}

// idle tells whether a draining lane has nothing under way.
func (s *slot) idle() bool {
	select {
	case <-s.lane.Idle():
		return true
	default:
		return false
	}
}

func partitionsOf(slots []*slot) []processor.Partition {
	out := make([]processor.Partition, len(slots))
	for i, s := range slots {
		out[i] = s.partition()
	}
	return out
}
