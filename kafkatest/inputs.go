package kafkatest

import "fmt"

// inputs judges each input by what became of it.
func (c *checker) inputs() {
	for _, p := range c.parts {
		final := Unknown
		for _, x := range p.log {
			final = max(final, x.offset)
		}
		for i := range p.in {
			in := &p.in[i]
			c.lostInput(p, in, final)
			if c.r.Runs > 0 && in.has(flagProduced) && in.lastStart == 0 {
				c.neverRun(p, in, int32(i))
			}
			if c.o.Ordering != Unordered && in.lastRun != 0 {
				c.lastRun(p, in, int32(i))
			}
		}
		if p.everHad && len(p.in) > 0 && p.settled == 0 && c.r.Runs > 0 {
			c.r.report(&NoProgress{Finding{Input: c.where(p, Unknown)}}, func() (string, []string) {
				return fmt.Sprintf("it was assigned, has %d messages, and none was settled", len(p.in)),
					c.around(c.first(p.runsOf), p.runsOf)
			})
		}
	}
}

func (c *checker) lostInput(p *part, in *input, final int64) {
	if !in.has(flagProduced) || in.has(flagOutput|flagSkipped) {
		return
	}
	what := "it is in no output"
	if c.o.Filter {
		if in.settledAt != 0 || in.offset >= final {
			return
		}
		what = fmt.Sprintf("offset %d was committed, and it was neither settled nor output", final)
	}
	if c.o.Incomplete && in.offset >= final {
		return
	}
	c.r.report(&Lost{c.findingOf(p, in)}, func() (string, []string) { return what, c.message(p, in) })
}

// neverRun tells what was passed over from what nobody came to.
func (c *checker) neverRun(p *part, in *input, i int32) {
	say := func() (string, []string) {
		what := "nobody ran it"
		if p.highest >= 0 {
			what += fmt.Sprintf(", the runs went up to offset %d", p.in[p.highest].offset)
		}
		return what, c.message(p, in)
	}
	if i > p.highest {
		if !c.o.Incomplete {
			c.r.report(&Unseen{c.findingOf(p, in)}, say)
		}
		return
	}
	c.r.report(&Skipped{c.findingOf(p, in)}, say)
	if !in.has(flagOutput) {
		c.r.report(&LostWrite{c.findingOf(p, in)}, say)
	}
}

// lastRun compares the last runs of a domain.
func (c *checker) lastRun(p *part, in *input, i int32) {
	d := &c.domains[in.domain]
	if in.lastRun < d.lastRun {
		before := &p.in[d.lastRunIn]
		c.r.report(&OutOfOrder{c.findingOf(p, in)}, func() (string, []string) {
			return fmt.Sprintf("its last run is before the last run of offset %d", before.offset),
				c.around(int(in.lastRun)-1, p.runsOf)
		})
		return
	}
	d.lastRun, d.lastRunIn = in.lastRun, i
}
