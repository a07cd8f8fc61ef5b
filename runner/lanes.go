package runner

import (
	"sync"

	"github.com/pitlane-go/pitlane/lane"
)

// lanes are the lanes of the process that have not returned, those of earlier
// assignments included.
type lanes struct {
	mu  sync.Mutex
	set map[*lane.Lane]struct{}
}

func newLanes() *lanes { return &lanes{set: map[*lane.Lane]struct{}{}} }

func (s *lanes) add(l *lane.Lane) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set[l] = struct{}{}
}

// all returns the lanes, in no order, and forgets those that have returned.
func (s *lanes) all() []*lane.Lane {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*lane.Lane, 0, len(s.set))
	for l := range s.set {
		select {
		case <-l.Done():
			delete(s.set, l)
		default:
			out = append(out, l)
		}
	}
	return out
}
