package lane

import (
	"time"

	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

// unitState is where a unit of the window stands.
type unitState uint8

const (
	ready   unitState = iota // to be run, or to be run again
	running                  // the processor has it
	waiting                  // processed, its records are not all acknowledged
	failed                   // processed, and a record failed: to be decided about
	settled                  // nothing is left to do; waits for those before it
)

// unit is what is processed and retried as a whole: a message, or a batch.
type unit struct {
	msgs []*processor.Message
	// first is the first offset, next the one after the last.
	first, next int64
	// run is the current run; results of any other are ignored.
	run *run
	// past is nil for a unit that has never failed nor been skipped: most.
	past *past
	// endedAt is when the processor returned, in the time of the lane; set only
	// while waiting.
	endedAt time.Duration
	state   unitState
	// bound says that msgs were handed to the processor.
	bound bool
}

// past is what went wrong with a unit.
type past struct {
	// failures counts the runs that failed and count; troubles the
	// infrastructure failures in a row, which do not.
	failures, troubles int
	// skip is the reason when the unit settles without success.
	skip error
	// notBefore, reason and cause: the hold before the next run.
	notBefore time.Time
	reason    pause.Reason
	cause     error
}

// seen is the unit's past, to be read.
func (u *unit) seen() past {
	if u.past == nil {
		return past{}
	}
	return *u.past
}

// note is the unit's past, to be written.
func (u *unit) note() *past {
	if u.past == nil {
		u.past = &past{}
	}
	return u.past
}

// skipping notes why the unit settles without success; nil if it does not.
func (u *unit) skipping(why error) {
	if u.past != nil || why != nil {
		u.note().skip = why
	}
}

// inherit takes the counts of the unit that this one is a part of.
func (u *unit) inherit(whole *unit) {
	if whole.past == nil {
		return
	}
	p := u.note()
	p.failures, p.troubles = whole.past.failures, whole.past.troubles
}

// attempt is the number that the processor sees.
func (u *unit) attempt() int { return u.seen().failures + 1 }

// part makes a unit of some of the messages of u.
func (u *unit) part(from, to int) *unit {
	m := u.msgs[from:to:to]
	return &unit{msgs: m, first: m[0].Offset, next: m[len(m)-1].Offset + 1, bound: u.bound}
}

// own gives a run messages that no run before it had: those stay bound to that
// run, so that what it left behind cannot send in the name of this one.
func (u *unit) own() {
	if !u.bound {
		u.bound = true
		return
	}
	slab, msgs := make([]processor.Message, len(u.msgs)), make([]*processor.Message, len(u.msgs))
	for i, m := range u.msgs {
		slab[i] = *m
		msgs[i] = &slab[i]
	}
	u.msgs = msgs
}

// single is a unit of one message with what it needs for its first run, in one
// piece.
type single struct {
	unit unit
	run  run
	msg  [1]*processor.Message
}

// singles makes one unit per message, out of one slab.
func singles(msgs []processor.Message) []single {
	slab := make([]single, len(msgs))
	for i := range slab {
		s, m := &slab[i], &msgs[i]
		s.msg[0] = m
		s.unit.msgs, s.unit.run = s.msg[:], &s.run
		s.unit.first, s.unit.next = m.Offset, m.Offset+1
	}
	return slab
}
