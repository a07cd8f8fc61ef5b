package lane

import (
	"errors"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

// errLate is the cause of a hold for late delivery reports.
var errLate = errors.New("delivery reports are late")

// decideDelivery handles units that failed in delivery: the first of them and
// everything after it run again.
func (l *Lane) decideDelivery() {
	now := time.Now()
	l.mu.Lock()
	first, others := l.win.rewind()
	if first == nil {
		l.mu.Unlock()
		return
	}
	// The holds belonged to units that come later now; theirs come back when it
	// is their turn.
	l.release(now, pause.Retry)
	l.release(now, pause.Delivery)
	if l.serial == nil { // else it is a later unit that failed before
		l.serial = first
	}
	l.deciding = true
	l.count.Rewinds++
	err := first.seen().cause
	l.out = append(l.out, event.DeliveryRewound{
		Source: l.cfg.Source, Offset: first.first, Units: others + 1, Cause: err,
	})
	l.unlock(now)
	l.decide(first, processor.Classify(err), err, false)
}

// decide asks the policy about the head of the window and does what it says.
// partial says that the head's first message is the one that failed. The caller
// has set deciding.
func (l *Lane) decide(u *unit, v processor.Verdict, err error, partial bool) {
	l.mu.Lock()
	past := u.note()
	switch v.Class {
	case processor.ClassInfrastructure, processor.ClassConfiguration:
		past.troubles++
	default:
		past.failures++
		past.troubles = 0
	}
	f := Failure{
		Partition: l.cfg.Source.Partition, Offset: u.first, Messages: len(u.msgs),
		Attempt: past.failures, Troubles: past.troubles, Verdict: v, Err: err,
	}
	l.mu.Unlock()
	d := l.cfg.Policy.Decide(f)
	stopAsked := v.Class == processor.ClassStop
	if d.Action != Retry && len(u.msgs) > 1 && !stopAsked && !partial {
		d.Action = Split
	}
	l.apply(u, d, err)
}

// apply does what was decided about the head of the window.
func (l *Lane) apply(u *unit, d Decision, err error) {
	var stop bool
	l.update(func(now time.Time) {
		l.deciding = false
		past := u.note()
		switch d.Action {
		case Retry:
			past.notBefore, past.reason, past.cause = now.Add(d.Wait), d.Reason, err
			l.hold(now, pause.Hold{
				Reason: d.Reason, Since: now, Until: past.notBefore,
				Offset: u.first, Attempt: past.failures, Cause: err,
			})
		case Skip:
			l.skipFirst(u, err)
		case Split:
			l.replace(u, alone(u)...)
		case Pause, Stop:
			stop = d.Action == Stop
			l.hold(now, pause.Hold{
				Reason: pause.Paused, Since: now,
				Offset: u.first, Attempt: past.failures, Cause: err,
			})
		}
	})
	if stop {
		l.cfg.Stopped(err)
	}
}

// skipFirst settles the first message of the head without success. Under mu.
func (l *Lane) skipFirst(u *unit, err error) {
	if len(u.msgs) > 1 {
		first, rest := u.part(0, 1), u.part(1, len(u.msgs))
		l.replace(u, first, rest)
		u = first
	}
	l.win.start()
	u.skipping(err)
	l.settle(u)
}

// alone makes a unit of each message of a batch that failed for good.
func alone(u *unit) []*unit {
	parts := make([]*unit, len(u.msgs))
	for i := range parts {
		parts[i] = u.part(i, i+1)
	}
	return parts
}
