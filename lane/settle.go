package lane

import (
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// finish takes the result of a run.
func (l *Lane) finish(u *unit, att Attempt, err error) {
	verdict := processor.Classify(err)
	success := verdict.Class == processor.ClassNone || verdict.Class == processor.ClassSkip
	at := verdict.FailedAt
	if at >= len(u.msgs) {
		at = -1 // outside the batch: it failed as a whole
	}
	switch {
	case l.ctx.Err() != nil:
		// Fenced: not an attempt, and not settled, whatever it returned.
		l.idleAfter(u, att)
	case success && at >= 0 && len(u.msgs) > 1:
		l.skipOne(u, at, att, err)
	case success && att == nil:
		l.settleNow(u, err)
	case success:
		l.awaitReports(u, att, err)
	default:
		l.processorFailed(u, att, failing{verdict, at, err})
	}
}

// failing is how a processor failed: at is the index of the message, -1 for all.
type failing struct {
	verdict processor.Verdict
	at      int
	err     error
}

// idleAfter puts a unit back that a fence made void.
func (l *Lane) idleAfter(u *unit, att Attempt) {
	l.update(func(time.Time) {
		l.current = nil
		u.run = nil
		l.win.again(u)
		l.forgetting(att)
	})
	l.forget(att)
}

// settleAndGoOn settles a unit that sent nothing and starts the next one under the
// same lock, when nothing stands in the way of it. It returns the unit that was
// started, or nil: then the lane has to plan.
func (l *Lane) settleAndGoOn(u *unit) (next *unit) {
	contended := l.cfg.Slots.Contended()
	if l.ctx.Err() != nil {
		l.idleAfter(u, nil)
		return nil
	}
	l.mu.Lock()
	l.current = nil
	u.skipping(nil)
	l.settle(u)
	l.checkIdle()
	if !contended && !l.needsClock() && l.planFree() == stepRun {
		next = l.start()
	}
	if len(l.out) == 0 {
		l.mu.Unlock()
		return next
	}
	l.unlock(time.Now())
	return next
}

// settleNow settles a unit that sent nothing. skip is the reason if the
// processor chose to skip it, else nil.
func (l *Lane) settleNow(u *unit, skip error) {
	l.mu.Lock()
	l.current = nil
	u.skipping(skip)
	l.settle(u)
	l.checkIdle()
	if len(l.out) == 0 {
		l.mu.Unlock()
		return
	}
	l.unlock(time.Now())
}

// awaitReports lets a processed unit wait for its reports.
func (l *Lane) awaitReports(u *unit, att Attempt, skip error) {
	now := time.Now()
	l.clock = now
	l.mu.Lock()
	l.current = nil
	u.skipping(skip)
	u.endedAt = l.at(now)
	r := u.run
	l.win.await(u)
	l.open++
	l.mu.Unlock()
	att.End(func() { l.resolved(u, r, att) })
}

// resolved takes the end of an attempt: all its records have been reported. It
// runs on the goroutine of the reports, or inside End.
func (l *Lane) resolved(u *unit, r *run, att Attempt) {
	err := att.Err()
	l.mu.Lock()
	l.open--
	switch {
	case u.run != r || u.state != waiting:
		// An old attempt: the unit runs again.
	case err == nil && !l.fenced:
		l.settle(u)
	default:
		u.note().cause = err
		l.win.fail(u)
	}
	l.checkIdle()
	wake := l.asleep && (l.win.anyFailed || l.win.next <= l.wakeAt)
	if len(l.out) == 0 {
		l.mu.Unlock()
	} else {
		l.unlock(time.Now())
	}
	if wake {
		l.poke()
	}
}

// settle moves the window and publishes the position. Under mu.
func (l *Lane) settle(u *unit) {
	gone := l.win.settle(u)
	for _, g := range gone {
		if l.serial == g { // and everything before it is settled too
			l.serial = nil
		}
		l.count.Settled += int64(len(g.msgs))
		if g.past != nil && g.past.skip != nil {
			l.count.Skipped += int64(len(g.msgs))
			l.out = append(l.out, event.UnitSkipped{
				Source: l.cfg.Source, Offset: g.first, Messages: len(g.msgs), Cause: g.past.skip,
			})
		}
	}
	clear(gone) // an idle lane keeps no messages
	if !l.fenced {
		l.position.Store(l.win.position)
	}
}

// forgetting counts an attempt that forget ends. Under mu.
func (l *Lane) forgetting(att Attempt) {
	if att != nil {
		l.open++
	}
}

// forget ends an attempt whose result matters to nobody but Idle.
func (l *Lane) forget(att Attempt) {
	if att == nil {
		return
	}
	att.End(func() {
		l.mu.Lock()
		l.open--
		l.checkIdle()
		l.mu.Unlock()
	})
}
