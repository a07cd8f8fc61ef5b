package runner

import (
	"context"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// monitorInterval is how often the lanes are looked at: the resolution of the
// age of a running attempt.
const monitorInterval = time.Second

// monitor watches the lanes from outside: attempts that run long, configuration
// failures that last.
type monitor struct {
	lanes     *lanes
	health    *health
	events    event.Sink
	slowAfter time.Duration
	grace     time.Duration
	giveUp    func(error)
	// reported is the run of each lane that was reported as slow.
	reported map[*lane.Lane]int64
}

// run looks until ctx ends.
func (m *monitor) run(ctx context.Context) {
	tick := time.NewTicker(monitorInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			m.look(now)
		}
	}
}

func (m *monitor) look(now time.Time) {
	positions := map[processor.Partition]int64{}
	live := map[*lane.Lane]bool{}
	for _, l := range m.lanes.all() {
		live[l] = true
		// An earlier lane of a partition may still be there.
		p, at := l.Source().Partition, l.Position()
		if last, ok := positions[p]; !ok || at > last {
			positions[p] = at
		}
		m.checkSlow(now, l)
	}
	for l := range m.reported {
		if !live[l] {
			delete(m.reported, l)
		}
	}
	if err := m.health.review(now, m.grace, positions); err != nil {
		m.giveUp(err)
	}
}

// checkSlow reports an attempt that runs longer than slowAfter, once, with the
// stack of its goroutine.
func (m *monitor) checkSlow(now time.Time, l *lane.Lane) {
	r, busy := l.Observe(now)
	if !busy || now.Sub(r.Since) < m.slowAfter || m.reported[l] == r.Run {
		return
	}
	m.reported[l] = r.Run
	m.events(now, event.ProcessorSlow{
		Source: l.Source(), Offset: r.Offset, Attempt: r.Attempt,
		Running: now.Sub(r.Since), Stack: l.Stack(),
	})
}
