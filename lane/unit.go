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
	state       unitState
	// failures counts the runs that failed and count; troubles the
	// infrastructure failures in a row, which do not.
	failures, troubles int
	// run is the current run; results of any other are ignored.
	run *run
	// bound says that msgs were handed to the processor.
	bound bool
	// skip is the reason when the unit settles without success.
	skip error
	// notBefore, reason and cause: the hold before the next run.
	notBefore time.Time
	reason    pause.Reason
	cause     error
	// endedAt is when the processor returned; set only while waiting.
	endedAt time.Time
}

// attempt is the number that the processor sees.
func (u *unit) attempt() int { return u.failures + 1 }

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

// singles makes one unit per message, out of one slab.
func singles(msgs []processor.Message) []*unit {
	n := len(msgs)
	slab, runs := make([]unit, n), make([]run, n)
	ptrs, units := make([]*processor.Message, n), make([]*unit, n)
	for i := range msgs {
		m := &msgs[i]
		ptrs[i] = m
		slab[i] = unit{msgs: ptrs[i : i+1 : i+1], first: m.Offset, next: m.Offset + 1, run: &runs[i]}
		units[i] = &slab[i]
	}
	return units
}
