package cli

import (
	"sync"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// repeatEvery is the least time between two lines about the same trouble of one
// partition: a processor that fails thousands of times in a second must not fill
// a disk.
const repeatEvery = time.Second

// trouble is what repeats: one kind of event of one partition.
type trouble struct {
	name      string
	reason    string
	partition processor.Partition
}

// repeats says which events come as often as messages fail.
func repeats(e event.Event) (trouble, bool) {
	switch e := e.(type) {
	case event.HoldStarted:
		// Given up is said every time: it is not tried again.
		return trouble{e.Name(), e.Reason, e.Partition}, e.Reason != "paused"
	case event.HoldEnded:
		return trouble{e.Name(), e.Reason, e.Partition}, true
	case event.ProcessorPanicked:
		return trouble{e.Name(), "", e.Partition}, true
	case event.DeliveryRewound:
		return trouble{e.Name(), "", e.Partition}, true
	}
	return trouble{}, false
}

// limiter lets one line per trouble and repeatEvery through, and counts the
// others. The zero value is ready.
type limiter struct {
	// Guarded by mu. There are as many as partitions times kinds of trouble.
	mu   sync.Mutex
	last map[trouble]*repeated
}

type repeated struct {
	at      time.Time
	skipped int
}

// allow tells whether to write, and how many were left out since the last time.
func (l *limiter) allow(t trouble, at time.Time) (skipped int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.last[t]
	switch {
	case r == nil:
		if l.last == nil {
			l.last = map[trouble]*repeated{}
		}
		l.last[t] = &repeated{at: at}
		return 0, true
	case at.Sub(r.at) < repeatEvery:
		r.skipped++
		return 0, false
	}
	skipped = r.skipped
	*r = repeated{at: at}
	return skipped, true
}
