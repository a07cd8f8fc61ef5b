package kafkatest

import (
	"cmp"
	"slices"
	"sort"
)

// input is one message of an input partition.
type input struct {
	offset, id int64
	producedAt int64
	settledAt  int64  // when it was first settled, 0 if never
	outputAt   int64  // when its first output was appended, 0 if unknown
	domain     uint32 // while the index is built: the name of its key
	next       int32  // the next input of its domain, -1
	lastStart  int32  // event index + 1 of its latest start
	lastRun    int32  // event index + 1 of the start of its latest settling run
	topicMark  uint32 // the output topic in which copies counts
	partMark   uint32 // the output partition in which its last copy was seen
	copies     uint16
	flags      inputFlag
}

type inputFlag uint8

const (
	flagProduced inputFlag = 1 << iota
	flagSkipped            // settled by decision
	flagOutput             // it is in an output
)

func (in *input) has(f inputFlag) bool { return in.flags&f != 0 }

func (c *checker) part(topic uint32, partition int32) *part {
	key := uint64(topic)<<32 | uint64(uint32(partition))
	p := c.partIDs[key]
	if p == nil {
		p = &part{
			topic: topic, partition: partition, number: uint32(len(c.parts)),
			committed: Unknown, tenures: map[owner]*tenure{}, highest: -1,
		}
		c.partIDs[key] = p
		c.parts = append(c.parts, p)
	}
	return p
}

// index collects the inputs: what was produced, and what was run or output
// without being noted as produced.
func (c *checker) index() {
	for i := range c.s.n {
		if e := c.s.at(i); e.kind == KindProduced {
			p := c.part(e.topic, e.partition)
			p.in = append(p.in, input{
				offset: e.offset, id: e.id, producedAt: e.at, domain: e.text, flags: flagProduced,
			})
		}
	}
	for _, p := range c.parts {
		p.in = c.ordered(p, p.in)
	}
	for i := range c.s.n {
		if e := c.s.at(i); e.offset >= 0 && (e.kind == KindStart || e.topic != 0 && e.kind == KindOutput) {
			c.observe(e)
		}
	}
	for _, p := range c.parts {
		if len(p.extra) > 0 {
			p.in, p.extra = c.ordered(p, append(p.in, p.extra...)), nil
		}
		c.r.Inputs += len(p.in)
	}
	c.indexIDs()
	c.indexDomains()
}

// observe compares an event with the input that it speaks of.
func (c *checker) observe(e *record) {
	p := c.part(e.topic, e.partition)
	i := p.find(e.offset)
	if i < 0 {
		p.extra = append(p.extra, input{offset: e.offset, id: e.id, domain: e.text})
		return
	}
	in := &p.in[i]
	if in.id == 0 {
		in.id = e.id
	}
	if e.id != 0 && e.id != in.id {
		c.inconsistent(c.where(p, in.offset), in.id, e.id)
	}
}

// ordered sorts by offset and joins what speaks of one offset.
func (c *checker) ordered(p *part, in []input) []input {
	byOffset := func(a, b input) int { return cmp.Compare(a.offset, b.offset) }
	if !slices.IsSortedFunc(in, byOffset) {
		slices.SortStableFunc(in, byOffset)
	}
	out := in[:0]
	for _, x := range in {
		if len(out) == 0 || out[len(out)-1].offset != x.offset {
			out = append(out, x)
			continue
		}
		last := &out[len(out)-1]
		if last.id != 0 && x.id != 0 && last.id != x.id {
			c.inconsistent(c.where(p, x.offset), last.id, x.id)
		}
		if last.id == 0 {
			last.id = x.id
		}
		last.flags |= x.flags
	}
	return out
}

func (c *checker) inconsistent(at Position, id, other int64) {
	v := &InconsistentOffset{Finding: Finding{Input: at, ID: id}, Other: other}
	c.r.report(v, func() (string, []string) {
		return "two ids at one position", c.around(c.first(func(e *record) bool {
			return e.id == other
		}), func(e *record) bool { return e.id == id || e.id == other })
	})
}

// find returns the index of an offset, -1 if it is not there.
func (p *part) find(offset int64) int {
	i := p.search(offset)
	if i < len(p.in) && p.in[i].offset == offset {
		return i
	}
	return -1
}

// search returns the index of the first input at or above an offset.
func (p *part) search(offset int64) int {
	// Mostly there are no gaps, then the offset says the index.
	if len(p.in) > 0 {
		if i := offset - p.in[0].offset; i >= 0 && i < int64(len(p.in)) && p.in[i].offset == offset {
			return int(i)
		}
	}
	return sort.Search(len(p.in), func(i int) bool { return p.in[i].offset >= offset })
}

func (c *checker) indexDomains() {
	type key struct {
		part uint32
		name uint32
	}
	keys := map[key]uint32{}
	for _, p := range c.parts {
		for i := range p.in {
			k := key{part: p.number}
			if c.o.Ordering == ByKey {
				k.name = p.in[i].domain
			}
			d, ok := keys[k]
			if !ok {
				d = uint32(len(c.domains))
				keys[k] = d
				c.domains = append(c.domains, domain{last: -1})
			}
			p.in[i].domain, p.in[i].next = d, -1
		}
	}
	last := make([]int32, len(c.domains))
	for _, p := range c.parts {
		for i := len(p.in) - 1; i >= 0; i-- {
			d := p.in[i].domain
			p.in[i].next = last[d] - 1
			last[d] = int32(i) + 1
		}
	}
}
