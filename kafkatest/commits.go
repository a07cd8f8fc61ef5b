package kafkatest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// commitLog collects the commits of each partition in the order of the log.
func (c *checker) commitLog() {
	for i := range c.s.n {
		e := c.s.at(i)
		if e.kind != KindCommitted || c.o.Group != "" && c.s.names[e.text] != c.o.Group {
			continue
		}
		c.r.Commits++
		p := c.part(e.topic, e.partition)
		p.log = append(p.log, commitAt{at: e.at, offset: e.offset, log: e.aux, event: int32(i)})
	}
	for _, p := range c.parts {
		slices.SortStableFunc(p.log, func(a, b commitAt) int { return cmp.Compare(a.log, b.log) })
	}
}

// committedAt returns the position that was certainly committed at a time,
// Unknown if there is none. Times may not step back by more than Slack.
func (c *checker) committedAt(p *part, at int64) int64 {
	for p.served < len(p.log) {
		x := p.log[p.served]
		if x.at == 0 || x.at+int64(c.o.Slack) > at {
			break
		}
		p.committed, p.served = x.offset, p.served+1
	}
	return p.committed
}

// commits judges every commit by what was settled when it was written.
func (c *checker) commits() {
	for _, p := range c.parts {
		if len(p.log) > 0 {
			c.commitsOf(p)
		}
	}
}

func (c *checker) commitsOf(p *part) {
	// settled[i] is when the last of the inputs 0..i was settled.
	settled := make([]int64, len(p.in))
	worst := make([]int32, len(p.in)) // which input that was
	for i := range p.in {
		settled[i], worst[i] = c.settledAt(&p.in[i]), int32(i)
		if i > 0 && settled[i-1] >= settled[i] {
			settled[i], worst[i] = settled[i-1], worst[i-1]
		}
	}
	reported := int32(-1)
	for n, x := range p.log {
		if n > 0 && x.offset < p.log[n-1].offset {
			c.offsetBack(p, p.log[n-1], x)
		}
		i := p.search(x.offset) - 1
		if i < 0 {
			continue
		}
		limit := x.at + int64(c.o.Slack)
		if x.at == 0 {
			limit = math.MaxInt64 - 1
		}
		if settled[i] > limit && worst[i] != reported {
			reported = worst[i]
			c.pastUnsettled(p, &p.in[reported], x)
		}
	}
}

// settledAt is the earliest time at which an input can have been settled.
func (c *checker) settledAt(in *input) int64 {
	ran := in.settledAt
	if c.r.Runs == 0 {
		ran = 1 // only the output speaks
	}
	switch {
	case ran == 0:
		return math.MaxInt64
	case c.o.Filter && c.r.Runs > 0, in.has(flagSkipped):
		return ran
	case !in.has(flagOutput):
		return math.MaxInt64
	}
	return max(ran, in.outputAt)
}

func (c *checker) offsetBack(p *part, from, to commitAt) {
	v := &OffsetBack{Finding: Finding{Input: c.where(p, to.offset)}, From: from.offset, To: to.offset}
	c.r.report(v, func() (string, []string) {
		return fmt.Sprintf("the committed offset went from %d to %d", from.offset, to.offset), c.around(int(to.event), p.commitsOf)
	})
}

func (c *checker) pastUnsettled(p *part, in *input, x commitAt) {
	v := &CommittedPastUnsettled{Finding: c.findingOf(p, in), Commit: c.where(p, x.offset)}
	c.r.report(v, func() (string, []string) {
		commit := c.s.event(int(x.event)).String()
		return "it was not settled when " + commit + " was written", append(c.message(p, in), "  "+commit)
	})
}

// commitsOf matches the commits of a partition.
func (p *part) commitsOf(e *record) bool {
	return e.kind == KindCommitted && e.topic == p.topic && e.partition == p.partition
}
