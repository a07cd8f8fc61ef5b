package lane

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/pause"
)

// Lane runs the processor for one partition and one assignment epoch.
type Lane struct {
	// Set at construction.
	cfg    Config
	ctx    context.Context //nolint:containedctx // the lane's own life, which ends by Fence: attempts see it
	cancel context.CancelCauseFunc
	// startCtx ends when nothing new may start: it bounds the wait for a slot.
	startCtx    context.Context //nolint:containedctx // as above
	startCancel context.CancelFunc
	born        time.Time     // the zero of the lane's own time
	pokeCh      chan struct{} // capacity 1: a token means "look again"
	idleCh      chan struct{}
	done        chan struct{}
	goid        atomic.Int64

	// Owned by the lane's goroutine.
	slot    bool // holds one of cfg.Slots
	more    bool // the feed may have something
	feedErr error
	nextOff int64 // the lowest offset that may still come
	gather  gather
	timer   *time.Timer
	clock   time.Time // read in this round of the loop already, or zero

	// Shared.
	position atomic.Int64
	mu       sync.Mutex
	win      window
	holds    pause.Holds
	draining bool
	stopping bool
	fenced   bool
	idle     bool
	asleep   bool  // the goroutine waits: whoever changes something pokes it
	wakeAt   int   // while asleep: a report is something when no more units are started
	serial   *unit // one unit at a time until this one is settled
	current  *unit // the running unit
	// open counts the ended attempts that are not resolved, also those whose
	// result nobody waits for: their records may still be written.
	open     int
	deciding bool // a failure is with the policy
	feedDead bool
	runSeq   int64
	seen     observation
	count    Counters
	out      []event.Event // to be sent when the mutex is free
}

// New makes a lane. Run starts it.
func New(cfg Config) *Lane {
	cfg = cfg.withDefaults()
	l := &Lane{
		cfg:     cfg,
		born:    time.Now(),
		pokeCh:  make(chan struct{}, 1),
		idleCh:  make(chan struct{}),
		done:    make(chan struct{}),
		more:    true,
		nextOff: cfg.Start,
		gather:  gather{limits: cfg.Batch},
	}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	l.startCtx, l.startCancel = context.WithCancel(l.ctx)
	l.win.position = cfg.Start
	l.position.Store(cfg.Start)
	return l
}

// Source names the lane: member, partition, assignment epoch.
func (l *Lane) Source() event.Source { return l.cfg.Source }

// Position is the next offset to commit: the lowest offset that is not settled.
// It is Config.Start until something settles, and never goes back.
func (l *Lane) Position() int64 { return l.position.Load() }

// Drain lets nothing new start. Idle is closed when what runs has ended and its
// records are acknowledged.
func (l *Lane) Drain() {
	l.update(func(now time.Time) {
		if l.draining {
			return
		}
		l.draining = true
		l.hold(now, pause.Hold{Reason: pause.Drain, Since: now})
	})
	l.startCancel()
}

// Idle is closed once the lane drains, no attempt runs, no failure is to be
// decided about and every delivery report is in: also those of attempts that have
// failed, since the next owner's records must not overtake theirs. The position
// moves no more.
func (l *Lane) Idle() <-chan struct{} { return l.idleCh }

// Fence refuses every later result, freezes the position and ends the context
// of the running attempt with cause. The lane stops.
func (l *Lane) Fence(cause error) {
	l.update(func(time.Time) { l.fenced, l.stopping = true, true })
	l.cancel(cause)
}

// Stop ends the lane after the running attempt. Until a Fence, reports that come
// later still settle and move the position.
func (l *Lane) Stop() {
	l.update(func(time.Time) { l.stopping = true })
	l.startCancel()
}

// Done is closed when Run has returned.
func (l *Lane) Done() <-chan struct{} { return l.done }

// Hold starts nothing until the hold's deadline or a Release with its reason.
func (l *Lane) Hold(h pause.Hold) {
	l.update(func(now time.Time) {
		h.Since = now
		l.hold(now, h)
	})
}

// Release ends the hold with this reason; a back-off ends with its hold. A drain
// has no way back, and a lane whose feed has failed stays paused: only a new
// assignment cures them.
func (l *Lane) Release(r pause.Reason) {
	l.update(func(now time.Time) {
		if r == pause.Drain || r == pause.Paused && l.feedDead {
			return
		}
		l.release(now, r)
		if u := l.win.head(); u != nil && u.past != nil && u.past.reason == r {
			u.past.notBefore = time.Time{}
		}
	})
}

// at is a time as the lane keeps it in a unit: a third of the size.
func (l *Lane) at(t time.Time) time.Duration { return t.Sub(l.born) }

// update changes shared state and tells the lane's goroutine.
func (l *Lane) update(change func(now time.Time)) {
	now := time.Now()
	l.mu.Lock()
	change(now)
	l.checkIdle()
	l.unlock(now)
	l.poke()
}

// unlock frees the mutex and sends the events that were gathered under it.
func (l *Lane) unlock(now time.Time) {
	out := l.out
	l.out = nil
	l.mu.Unlock()
	for _, e := range out {
		l.cfg.Events(now, e)
	}
}

// poke makes the lane's goroutine look again.
func (l *Lane) poke() {
	select {
	case l.pokeCh <- struct{}{}:
	default: // a token is there already
	}
}

// checkIdle closes idleCh when a draining lane has nothing under way. Under mu.
func (l *Lane) checkIdle() {
	if !l.draining || l.idle || l.current != nil || l.open > 0 || l.deciding {
		return
	}
	if l.win.anyFailed && !l.stopping {
		return // the lane's goroutine decides about it first
	}
	l.idle = true
	close(l.idleCh)
}

// hold puts a hold and gathers its event. Under mu.
func (l *Lane) hold(now time.Time, h pause.Hold) {
	if h.Since.IsZero() {
		h.Since = now
	}
	if l.holds.Put(h) {
		l.out = append(l.out, event.HoldStarted{
			Source: l.cfg.Source, Reason: string(h.Reason), Until: h.Until,
			Offset: h.Offset, Attempt: h.Attempt, Cause: h.Cause,
		})
	}
}

// release ends a hold and gathers its event. Under mu.
func (l *Lane) release(now time.Time, r pause.Reason) {
	if h, ok := l.holds.Release(r); ok {
		l.ended(now, h)
	}
}

func (l *Lane) ended(now time.Time, h pause.Hold) {
	l.out = append(l.out, event.HoldEnded{
		Source: l.cfg.Source, Reason: string(h.Reason), Held: now.Sub(h.Since),
	})
}
