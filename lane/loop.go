package lane

import (
	"math"
	"time"

	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

// wakeShare is the part of a full window that has to be free for the lane to go on.
const wakeShare = 8

// step is what the lane's goroutine does next.
type step uint8

const (
	stepStop   step = iota
	stepRun         // run the head of the window
	stepRead        // read the feed
	stepDecide      // a unit failed in delivery: ask the policy
	stepWait        // wait for a poke, a deadline or the feed
)

// Run is the lane's goroutine. It returns after Stop or Fence, once the running
// attempt has returned.
func (l *Lane) Run() {
	defer close(l.done)
	defer l.cancel(ErrStopped) // for what processors left behind; a fence came first
	l.goid.Store(goroutineID())
	l.timer = time.NewTimer(time.Hour)
	defer l.timer.Stop()
	defer l.freeSlot()
	l.awaitEarlier()
	processor.Resume(l.loop, l.exited)
}

// exited settles the attempt whose processor ended the goroutine.
func (l *Lane) exited() {
	l.mu.Lock()
	u := l.current
	l.mu.Unlock()
	if u != nil {
		l.finish(u, u.run.close(), processor.ErrGoexit)
	}
}

func (l *Lane) loop() {
	for {
		keep := l.slot && !l.cfg.Slots.Contended()
		what, u, until := l.plan(keep)
		switch what {
		case stepStop:
			return
		case stepRun:
			l.execute(u)
		case stepRead:
			l.read()
		case stepDecide:
			l.decideDelivery()
		case stepWait:
			l.wait(until)
		}
	}
}

// awaitEarlier waits until the partition's earlier lane has returned, so that
// two never run the same partition at the same time in one process.
func (l *Lane) awaitEarlier() {
	if l.cfg.After == nil {
		return
	}
	select {
	case <-l.cfg.After:
		return
	default:
	}
	held := false
	l.update(func(now time.Time) {
		if !l.draining {
			held = true
			l.hold(now, pause.Hold{Reason: pause.Drain, Since: now})
		}
	})
	select {
	case <-l.cfg.After:
	case <-l.startCtx.Done():
	}
	l.update(func(now time.Time) {
		if held && !l.draining {
			l.release(now, pause.Drain)
		}
	})
}

// plan decides the next step. u is a unit that is started already, which saves a
// lock; only with a slot, which is what keep says. until is the deadline of a wait,
// zero for none.
func (l *Lane) plan(keep bool) (what step, u *unit, until time.Time) {
	now := l.clock
	l.clock = time.Time{}
	l.mu.Lock()
	if l.needsClock() {
		if now.IsZero() {
			now = time.Now()
		}
		what, until = l.planAt(now)
	} else {
		what = l.planFree()
	}
	if what == stepRun && keep {
		u = l.start()
	}
	if l.asleep = what == stepWait; l.asleep {
		l.wakeAt = l.reportsThatMatter()
	}
	if len(l.out) == 0 {
		l.mu.Unlock()
	} else {
		l.unlock(now)
	}
	return what, u, until
}

// reportsThatMatter returns how many units may be started and not settled, at most,
// for an acknowledgement to be a reason to wake the lane that is about to sleep. One
// wake-up for each would cost more than the acknowledgement itself. A failure always
// is a reason, and a late report has a deadline. Under mu.
func (l *Lane) reportsThatMatter() int {
	switch {
	case l.holds.Held() || l.serial != nil:
		return math.MaxInt
	case l.win.head() == nil && l.gather.empty() && !(l.more && l.feedErr == nil):
		return -1 // there is nothing to start, and the feed wakes the lane itself
	}
	return l.cfg.MaxOutstanding - max(1, l.cfg.MaxOutstanding/wakeShare)
}

// needsClock reports whether a deadline may decide the next step. Under mu.
func (l *Lane) needsClock() bool {
	if l.holds.Held() || l.win.outstanding > 0 || !l.gather.empty() {
		return true
	}
	u := l.win.head()
	return u != nil && u.past != nil && !u.past.notBefore.IsZero()
}

// planFree is the plan of a lane without holds, reports or a batch in the
// making: no clock is needed. Under mu.
func (l *Lane) planFree() step {
	switch {
	case l.stopping:
		return stepStop
	case l.win.anyFailed:
		return stepDecide
	case l.win.next >= l.cfg.MaxOutstanding:
		return stepWait
	case l.win.head() != nil:
		return stepRun
	case l.more && l.feedErr == nil:
		return stepRead
	}
	return stepWait
}

// planAt is the plan at a time. Under mu.
func (l *Lane) planAt(now time.Time) (what step, until time.Time) {
	for _, h := range l.holds.Expire(now) {
		l.ended(now, h)
	}
	if l.stopping {
		return stepStop, until
	}
	if l.win.anyFailed {
		return stepDecide, until
	}
	until = l.checkLate(now)
	if u := l.win.head(); u != nil && u.past != nil && now.Before(u.past.notBefore) {
		p := u.past
		l.hold(now, pause.Hold{
			Reason: p.reason, Since: now, Until: p.notBefore,
			Offset: u.first, Attempt: p.failures, Cause: p.cause,
		})
	}
	if l.holds.Held() {
		if at, ok := l.holds.Next(); ok {
			until = earlier(until, at)
		}
		return stepWait, until
	}
	if l.serial != nil && l.win.outstanding > 0 {
		return stepWait, until
	}
	if what := l.planFree(); what != stepWait {
		return what, until
	}
	if at, ok := l.gather.due(); ok && l.win.head() == nil && l.win.next < l.cfg.MaxOutstanding {
		if !now.Before(at) {
			l.win.push(l.gather.cut())
			return stepRun, until
		}
		until = earlier(until, at)
	}
	return stepWait, until
}

// checkLate holds when the oldest report is late, and returns when it will be.
func (l *Lane) checkLate(now time.Time) (at time.Time) {
	u := l.win.oldestWaiting()
	if u == nil {
		l.releaseLate(now)
		return at
	}
	at = l.born.Add(u.endedAt + l.cfg.LateAfter)
	if now.Before(at) {
		l.releaseLate(now)
		return at
	}
	l.hold(now, pause.Hold{Reason: pause.Delivery, Since: now, Offset: u.first, Attempt: u.attempt(), Cause: errLate})
	return time.Time{}
}

// releaseLate ends a delivery hold that has no deadline: one for late reports.
// The back-off after a failed delivery has a deadline and stays.
func (l *Lane) releaseLate(now time.Time) {
	for _, h := range l.holds.All() {
		if h.Reason == pause.Delivery && h.Until.IsZero() {
			l.release(now, pause.Delivery)
		}
	}
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// wait sleeps until there is something to do.
func (l *Lane) wait(until time.Time) {
	l.freeSlot()
	wake := l.cfg.Feed.Wake()
	if l.feedErr != nil {
		wake = nil
	}
	var deadline <-chan time.Time
	if !until.IsZero() {
		l.timer.Reset(time.Until(until))
		deadline = l.timer.C
	}
	select {
	case <-l.pokeCh:
	case <-wake:
		l.more = true
	case <-deadline:
	}
}

func (l *Lane) freeSlot() {
	if l.slot {
		l.slot = false
		l.cfg.Slots.Release()
	}
}
