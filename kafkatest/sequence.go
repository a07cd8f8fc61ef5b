package kafkatest

import (
	"fmt"
	"slices"
	"time"
)

// sequence checks a start against the one before it in its domain: forward
// without a jump, or back for a reason.
func (c *checker) sequence(p *part, run openRun, at int64) {
	in := &p.in[run.in]
	d := &c.domains[in.domain]
	committed := c.committedAt(p, at)
	switch {
	case d.last < 0:
	case d.owner != run.owner:
		// A new owner starts at the commit; what is above it may run again.
		if run.in <= d.last && in.offset < committed {
			c.stepBack(p, run, fmt.Sprintf("a new owner runs it again below the committed offset %d", committed))
		}
		d.pending, d.usedStep = d.pending[:0], p.freeStep
	case run.in > d.last:
		c.jump(p, run, d.last)
	case in.offset < committed:
		c.stepBack(p, run, fmt.Sprintf("it runs again below the committed offset %d", committed))
	case !d.mayStepBack(p, in.offset):
		c.stepBack(p, run, "it runs again and no failure at or below it was noted")
	}
	d.owner, d.last = run.owner, run.in
	d.ran(in.offset)
}

// ran forgets that an offset has to run again.
func (d *domain) ran(offset int64) {
	d.pending = slices.DeleteFunc(d.pending, func(o int64) bool { return o == offset })
}

// decided passes a failure that was answered by a decision on to the next message:
// if a delivery failed, what was sent after it runs again without it.
func (d *domain) decided(offset, next int64) {
	failed := slices.Contains(d.pending, offset)
	d.ran(offset)
	if failed && next != Unknown {
		d.pending = append(d.pending, next)
	}
}

// mayStepBack says whether a failure was noted that has not been answered yet.
func (d *domain) mayStepBack(p *part, offset int64) bool {
	if slices.ContainsFunc(d.pending, func(o int64) bool { return o <= offset }) {
		return true
	}
	if p.freeStep > d.usedStep {
		d.usedStep = p.freeStep
		return true
	}
	return false
}

func (c *checker) stepBack(p *part, run openRun, what string) {
	in := &p.in[run.in]
	say := func() (string, []string) { return what, c.around(int(run.start), p.runsOf) }
	c.r.report(&OutOfOrder{c.findingOf(p, in)}, say)
	if c.domains[in.domain].owner == run.owner {
		c.r.report(&NonMonotonicPoll{c.findingOf(p, in)}, say)
	}
}

// jump looks for a message between two starts of one assignment. What a key's
// domain has settled above the commit is its first messages, so that a restart
// does not jump either.
func (c *checker) jump(p *part, run openRun, last int32) {
	if i := p.in[last].next; i >= 0 && i < run.in {
		in := &p.in[i]
		c.r.report(&SkippedByPoll{c.findingOf(p, in)}, func() (string, []string) {
			return fmt.Sprintf("the runs go from offset %d to %d", p.in[last].offset, p.in[run.in].offset),
				c.around(int(run.start), p.runsOf)
		})
	}
}

// failure notes what a failure allows and how many duplicates it explains.
func (c *checker) failure(i int32, e *record) {
	if e.topic == 0 {
		for _, p := range c.parts {
			if p.current.member == e.member || p.ordinals == 0 {
				c.countWindow(p, i, e.at)
				if e.kind == KindFailed {
					p.freeStep = i + 1
				}
			}
			if e.kind == KindKilled {
				p.forget(e.member)
			}
		}
		return
	}
	p := c.part(e.topic, e.partition)
	if e.offset < 0 {
		p.freeStep = i + 1
		c.countWindow(p, i, e.at)
		return
	}
	c.r.Bound += p.startedFrom(max(e.offset, c.committedAt(p, e.at)))
	if at := p.find(e.offset); at >= 0 {
		d := &c.domains[p.in[at].domain]
		d.pending = append(d.pending, e.offset)
	}
}

// forget ends the runs of a member whose process is gone.
func (p *part) forget(member uint32) {
	p.open = slices.DeleteFunc(p.open, func(r openRun) bool { return r.owner.member == member })
	if p.current.member == member {
		p.owned = false
	}
}

// countWindow adds what was started since the last commit to the bound. A window
// that was counted and has not grown since is the same failure.
func (c *checker) countWindow(p *part, i int32, at int64) {
	if p.counted > p.lastStart {
		return
	}
	p.counted = i + 1
	c.r.Bound += p.startedFrom(max(c.committedAt(p, at), 0))
}

func (p *part) startedFrom(offset int64) int {
	n := 0
	for i := p.search(offset); i <= int(p.highest); i++ {
		if p.in[i].lastStart != 0 {
			n++
		}
	}
	return n
}

// durationOf prints nanoseconds.
func durationOf(ns int64) time.Duration { return time.Duration(ns).Round(time.Millisecond) }
