package kafkatest

import "fmt"

// runs follows the run as it went: owners, starts and ends.
func (c *checker) runs() {
	for i := range c.s.n {
		if e := c.s.at(i); e.kind == KindLost {
			c.part(e.topic, e.partition).tenure(owner{e.member, e.epoch}).lost = true
		}
	}
	var now int64
	for i := range c.s.n {
		e := c.s.at(i)
		switch e.kind {
		case KindAssigned, KindRevoked, KindLost:
			c.ownership(int32(i), e)
		case KindStart:
			c.start(int32(i), e)
		case KindEnd:
			c.end(e)
		case KindSkipped:
			c.decided(e)
		case KindFailed, KindKilled:
			c.failure(int32(i), e)
		case KindProduced, KindAcked, KindOutput, KindCommitted:
			continue
		}
		now = max(now, e.at)
	}
	for _, p := range c.parts {
		if p.owned {
			c.stalled(p, now)
		}
	}
}

func (p *part) tenure(o owner) *tenure {
	t := p.tenures[o]
	if t == nil {
		t = &tenure{}
		p.tenures[o] = t
	}
	return t
}

func (c *checker) ownership(i int32, e *record) {
	p, o := c.part(e.topic, e.partition), owner{e.member, e.epoch}
	if e.kind != KindAssigned {
		if p.owned && p.current == o {
			c.stalled(p, e.at)
			p.owned = false
		}
		return
	}
	p.ordinals++
	p.tenure(o).ordinal = p.ordinals
	p.current, p.owned, p.everHad, p.movedAt = o, true, true, e.at
	// A new owner starts at the last commit, whatever the reason was.
	c.countWindow(p, i, e.at)
}

func (c *checker) start(i int32, e *record) {
	c.r.Runs++
	p := c.part(e.topic, e.partition)
	at := p.find(e.offset)
	if at < 0 {
		return
	}
	in, o := &p.in[at], owner{e.member, e.epoch}
	run := openRun{owner: o, unit: e.aux, start: i, in: int32(at)}
	c.overlap(p, run)
	if c.o.Ordering != Unordered {
		c.sequence(p, run, e.at)
	}
	p.open = append(p.open, run)
	p.highest, p.lastStart, in.lastStart = max(p.highest, run.in), i+1, i+1
}

// overlap looks for a run that should have ended before this one starts, and for
// an owner that should not start any more.
func (c *checker) overlap(p *part, run openRun) {
	in := &p.in[run.in]
	if t := p.tenures[run.owner]; t != nil && t.ordinal != 0 && t.ordinal < p.ordinals {
		c.overlaps(p, run, run.owner, fmt.Sprintf("it starts after member %s got the partition as epoch %d",
			c.s.names[p.current.member], p.current.epoch))
		return
	}
	for _, other := range p.open {
		old := &p.in[other.in]
		same := other.owner == run.owner
		if same && (c.o.Ordering == Unordered || in.domain != old.domain || run.unit != 0 && run.unit == other.unit) {
			continue
		}
		late := other.owner
		if same {
			late = owner{} // no loss excuses a lane that runs two units
		}
		c.overlaps(p, run, late, fmt.Sprintf("it starts while offset %d of member %s epoch %d is running",
			old.offset, c.s.names[other.owner.member], other.owner.epoch))
		return
	}
}

// overlaps reports an overlap in which one owner is late.
func (c *checker) overlaps(p *part, run openRun, late owner, what string) {
	f := c.findingOf(p, &p.in[run.in])
	say := func() (string, []string) { return what, c.around(int(run.start), p.runsOf) }
	if t := p.tenures[late]; t != nil && t.lost {
		c.r.report(&OverlapAfterLoss{f}, say)
		return
	}
	c.r.report(&Overlap{f}, say)
}

func (c *checker) end(e *record) {
	p := c.part(e.topic, e.partition)
	at := p.find(e.offset)
	if at < 0 {
		return
	}
	in, o := &p.in[at], owner{e.member, e.epoch}
	start := p.closeRun(o, int32(at))
	if e.outcome != OutcomeOK && e.outcome != OutcomeSkipped {
		// It may have sent its records before it failed.
		c.r.Bound++
		if d := &c.domains[in.domain]; d.owner == o {
			d.pending = append(d.pending, in.offset)
		}
		return
	}
	if e.outcome == OutcomeSkipped {
		in.flags |= flagSkipped
	}
	if c.o.MaxStall > 0 && p.owned && in.producedAt <= p.movedAt {
		c.stalledAt(p, in, e.at)
	}
	p.settled++
	p.movedAt = max(p.movedAt, e.at)
	if in.settledAt == 0 {
		in.settledAt = max(e.at, 1)
	}
	// What an owner does after another one has the partition is late: it
	// overlaps, but it does not say in what order the messages ran.
	if t := p.tenures[o]; p.ordinals == 0 || t != nil && t.ordinal == p.ordinals {
		in.lastRun = start + 1
	}
}

// decided settles a message without a run that ended well.
func (c *checker) decided(e *record) {
	p, in := c.resolve(e)
	if in == nil {
		return
	}
	in.flags |= flagSkipped
	next := Unknown
	if in.next >= 0 {
		next = p.in[in.next].offset
	}
	c.domains[in.domain].decided(in.offset, next)
	p.settled++
	p.movedAt = max(p.movedAt, e.at)
	if in.settledAt == 0 {
		in.settledAt = max(e.at, 1)
	}
}

// closeRun forgets an open run and returns where it started, -1 if it had not.
func (p *part) closeRun(o owner, in int32) int32 {
	for i, run := range p.open {
		if run.owner == o && run.in == in {
			p.open = append(p.open[:i], p.open[i+1:]...)
			return run.start
		}
	}
	return -1
}

// stalled looks at an ended assignment: was there something to do all the time?
func (c *checker) stalled(p *part, now int64) {
	if c.o.MaxStall == 0 {
		return
	}
	for i := range p.in {
		if in := &p.in[i]; in.settledAt == 0 {
			if in.producedAt <= now {
				c.stalledAt(p, in, now)
			}
			return
		}
	}
}

func (c *checker) stalledAt(p *part, in *input, now int64) {
	since := max(p.movedAt, in.producedAt)
	if now-since <= int64(c.o.MaxStall) {
		return
	}
	c.r.report(&NoProgress{c.findingOf(p, in)}, func() (string, []string) {
		return fmt.Sprintf("the assigned partition settled nothing for %s", durationOf(now-since)), c.message(p, in)
	})
}
