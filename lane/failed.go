package lane

import (
	"errors"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// processorFailed handles an attempt that ended with an error. Its records are
// not waited for before the next run: what they say of it comes too late.
func (l *Lane) processorFailed(u *unit, att Attempt, f failing) {
	now := time.Now()
	if panicked, ok := errors.AsType[*processor.PanicError](f.err); ok {
		l.cfg.Events(now, event.ProcessorPanicked{
			Source: l.cfg.Source, Offset: u.first, Value: panicked.Error(), Stack: string(panicked.Stack),
		})
	}
	r := u.run
	l.mu.Lock()
	l.current, l.deciding = nil, true
	l.count.Failed++
	l.win.again(u)
	if f.at <= 0 {
		u.run = nil
		l.forgetting(att)
		l.mu.Unlock()
		l.forget(att)
	} else {
		below, rest := u.part(0, f.at), u.part(f.at, len(u.msgs))
		below.inherit(u)
		l.replace(u, below, rest)
		end := l.processed(r, att, below)
		l.unlock(now)
		end()
		u = rest
	}
	l.decide(u, f.verdict, f.err, f.at >= 0)
}

// skipOne settles a batch up to the message that the processor skips, once the
// records of these are acknowledged. What follows it runs again.
func (l *Lane) skipOne(u *unit, at int, att Attempt, err error) {
	now := time.Now()
	r, n := u.run, len(u.msgs)
	l.mu.Lock()
	l.current = nil
	l.win.again(u)
	skipped := u.part(at, at+1)
	done := []*unit{skipped}
	if at > 0 {
		done = []*unit{u.part(0, at), skipped}
	}
	parts := done
	if at+1 < n {
		parts = append(parts, u.part(at+1, n))
	}
	for _, p := range parts {
		p.inherit(u)
	}
	skipped.skipping(err)
	l.replace(u, parts...)
	end := l.processed(r, att, done...)
	l.checkIdle()
	l.unlock(now)
	end()
}

// replace puts parts in the place of the head. One at a time goes on until all
// of it is settled. Under mu.
func (l *Lane) replace(u *unit, parts ...*unit) {
	if l.serial == u {
		l.serial = parts[len(parts)-1]
	}
	l.win.replace(parts)
}

// processed starts the parts at the head, which the run r has done already, and
// lets them wait for their reports. What is to be called when mu is free comes
// back. Under mu.
func (l *Lane) processed(r *run, att Attempt, parts ...*unit) (end func()) {
	now := time.Now()
	for _, p := range parts {
		l.win.start()
		p.run, p.endedAt = r, l.at(now)
		if att == nil {
			l.settle(p)
			continue
		}
		l.win.await(p)
		l.open++
	}
	if att == nil {
		return func() {}
	}
	return func() {
		att.End(func() {
			upTo := 0
			for _, p := range parts {
				upTo += len(p.msgs)
				l.resolved(p, r, below{att, upTo})
			}
		})
	}
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
