package lane

import (
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/pause"
)

// Counters count what a lane did since it started, in messages unless said
// otherwise.
type Counters struct {
	// Settled are done with; Skipped are those of them that were skipped.
	Settled, Skipped int64
	// Failed counts runs that the processor ended with an error.
	Failed int64
	// Rewinds counts failures of delivery that made units run again.
	Rewinds int64
	// Stale were handed out twice by the client and dropped.
	Stale int64
}

// Running is the attempt that the processor has.
type Running struct {
	Offset  int64
	Attempt int
	// Since is when an observer first saw it: see Lane.Observe.
	Since time.Time
	// Run tells attempts apart.
	Run int64
}

// Status is a snapshot of a lane.
type Status struct {
	Source   event.Source
	Position int64
	Holds    []pause.Hold
	// Outstanding is how many units wait for delivery reports; Window how many
	// messages are received and not committable yet.
	Outstanding int
	Window      int
	Draining    bool
	Busy        bool
	Counters    Counters
}

// Status returns a snapshot.
func (l *Lane) Status() Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Status{
		Source: l.cfg.Source, Position: l.position.Load(), Holds: l.holds.All(),
		Outstanding: l.win.outstanding, Draining: l.draining, Busy: l.current != nil, Counters: l.count,
	}
	for _, u := range l.win.units {
		s.Window += len(u.msgs)
	}
	return s
}

// observation is what Observe remembers.
type observation struct {
	run   int64
	since time.Time
}

// Observe returns the running attempt. Since is the time of the call that saw
// it first, so whoever calls it every second knows its age to a second, and the
// hot path reads no clock.
func (l *Lane) Observe(now time.Time) (r Running, busy bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current == nil {
		return r, false
	}
	if l.seen.run != l.runSeq {
		l.seen = observation{l.runSeq, now}
	}
	return Running{
		Offset: l.current.first, Attempt: l.current.attempt(), Since: l.seen.since, Run: l.runSeq,
	}, true
}
