package lane

import (
	"errors"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// finish takes the result of a run.
func (l *Lane) finish(u *unit, att Attempt, err error) {
	verdict := processor.Classify(err)
	success := verdict.Class == processor.ClassNone || verdict.Class == processor.ClassSkip
	switch {
	case l.ctx.Err() != nil:
		// Fenced: not an attempt, and not settled, whatever it returned.
		l.idleAfter(u)
		endAndForget(att)
	case success && att == nil:
		l.settleNow(u, err)
	case success:
		l.awaitReports(u, att, err)
	default:
		l.processorFailed(u, att, verdict, err)
	}
}

// idleAfter puts a unit back that a fence made void.
func (l *Lane) idleAfter(u *unit) {
	l.update(func(time.Time) {
		l.current = nil
		u.run = nil
		l.win.again(u)
	})
}

// settleNow settles a unit that sent nothing. skip is the reason if the
// processor chose to skip it, else nil.
func (l *Lane) settleNow(u *unit, skip error) {
	l.mu.Lock()
	l.current = nil
	u.skip = skip
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
	l.mu.Lock()
	l.current = nil
	u.skip, u.endedAt = skip, now
	r := u.run
	l.win.await(u)
	l.mu.Unlock()
	att.End(func() { l.resolved(u, r, att) })
}

// resolved takes the end of an attempt: all its records have been reported. It
// runs on the goroutine of the reports, or inside End.
func (l *Lane) resolved(u *unit, r *run, att Attempt) {
	err := att.Err()
	l.mu.Lock()
	if l.fenced || u.run != r || u.state != waiting {
		// An old attempt: the unit runs again, or belongs to nobody any more. Of a
		// fenced lane only Idle still cares.
		if l.fenced && u.run == r && u.state == waiting {
			l.win.fail(u)
			l.checkIdle()
		}
		l.mu.Unlock()
		return
	}
	if err == nil {
		l.settle(u)
	} else {
		u.cause = err
		l.win.fail(u)
	}
	l.checkIdle()
	wake := l.asleep
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
	u.troubles = 0
	if l.serial == u {
		l.serial = nil
	}
	for _, g := range l.win.settle(u) {
		l.count.Settled += int64(len(g.msgs))
		if g.skip != nil {
			l.count.Skipped += int64(len(g.msgs))
			l.out = append(l.out, event.UnitSkipped{
				Source: l.cfg.Source, Offset: g.first, Messages: len(g.msgs), Cause: g.skip,
			})
		}
	}
	if !l.fenced {
		l.position.Store(l.win.position)
	}
}

// processorFailed handles an attempt that ended with an error. Its records are
// not waited for: what they say of it comes too late.
func (l *Lane) processorFailed(u *unit, att Attempt, v processor.Verdict, err error) {
	now := time.Now()
	var panicked *processor.PanicError
	if errors.As(err, &panicked) {
		l.cfg.Events(now, event.ProcessorPanicked{
			Source: l.cfg.Source, Offset: u.first, Value: panicked.Error(), Stack: string(panicked.Stack),
		})
	}
	r := u.run
	l.mu.Lock()
	l.current = nil
	l.count.Failed++
	l.win.again(u)
	head := l.splitAt(u, v.FailedAt)
	if head == nil {
		u.run = nil
	} else {
		u = l.win.units[l.win.next+1] // the part that failed
	}
	l.mu.Unlock()
	if head != nil {
		l.awaitHead(head, r, att)
	} else {
		endAndForget(att)
	}
	l.decide(u, v, err, v.FailedAt >= 0)
}

// splitAt splits the head at the message that failed: what is below settles once
// its records are acknowledged. It returns that part, or nil if the unit failed
// as a whole. Under mu.
func (l *Lane) splitAt(u *unit, at int) (below *unit) {
	if at <= 0 || at >= len(u.msgs) {
		return nil
	}
	below, rest := u.part(0, at), u.part(at, len(u.msgs))
	below.failures, below.troubles = u.failures, u.troubles
	if l.serial == u {
		l.serial = below
	}
	l.win.replace([]*unit{below, rest})
	return below
}

// awaitHead lets the messages below FailedAt wait for their reports. Records of
// the messages that failed are not looked at.
func (l *Lane) awaitHead(u *unit, r *run, att Attempt) {
	now := time.Now()
	l.mu.Lock()
	l.win.start()
	u.run, u.endedAt = r, now
	if att == nil {
		l.settle(u)
		l.checkIdle()
		l.unlock(now)
		return
	}
	l.win.await(u)
	l.mu.Unlock()
	att.End(func() { l.resolved(u, r, below{att, len(u.msgs)}) })
}

// below is an attempt of which only the messages below an index count.
type below struct {
	Attempt
	index int
}

// Err implements Attempt.
func (b below) Err() error {
	if i := b.FailedIndex(); i < 0 || i >= b.index {
		return nil
	}
	return b.Attempt.Err()
}

func endAndForget(att Attempt) {
	if att != nil {
		att.End(func() {})
	}
}
