package kafkatest

// place is where an input is: its partition's number and its index, or none.
type place uint64

const nowhere = ^place(0)

// idIndex finds inputs by id. Ids that are dense enough take a slice, which is a
// fifth of a map.
type idIndex struct {
	low    int64
	dense  []place
	sparse map[int64]place
}

// newIDIndex returns an index for n ids between two bounds.
func newIDIndex(low, high, n int64) *idIndex {
	if n == 0 || (high-low)/4 > n {
		return &idIndex{sparse: make(map[int64]place, n)}
	}
	x := &idIndex{low: low, dense: make([]place, high-low+1)}
	for i := range x.dense {
		x.dense[i] = nowhere
	}
	return x
}

func (x *idIndex) get(id int64) place {
	if x.dense != nil {
		if i := id - x.low; i >= 0 && i < int64(len(x.dense)) {
			return x.dense[i]
		}
		return nowhere
	}
	if p, ok := x.sparse[id]; ok {
		return p
	}
	return nowhere
}

func (x *idIndex) set(id int64, p place) {
	if x.dense != nil {
		x.dense[id-x.low] = p
		return
	}
	x.sparse[id] = p
}

// indexIDs finds the inputs of one id and names those written twice.
func (c *checker) indexIDs() {
	low, high, n := int64(1)<<62, int64(0), int64(0)
	for _, p := range c.parts {
		for i := range p.in {
			if id := p.in[i].id; id > 0 {
				low, high, n = min(low, id), max(high, id), n+1
			}
		}
	}
	c.ids = newIDIndex(low, high, n)
	for _, p := range c.parts {
		for i := range p.in {
			in := &p.in[i]
			if in.id <= 0 {
				continue
			}
			if at := c.ids.get(in.id); at != nowhere {
				c.duplicateWrite(p, in, at)
				continue
			}
			c.ids.set(in.id, place(p.number)<<32|place(i))
		}
	}
}

func (c *checker) duplicateWrite(p *part, in *input, first place) {
	fp, fin := c.at(first)
	c.r.report(&DuplicateWrite{c.findingOf(p, in)}, func() (string, []string) {
		return "the id is also at " + c.where(fp, fin.offset).String(), c.around(
			c.first(func(e *record) bool { return e.id == in.id }),
			func(e *record) bool { return e.id == in.id })
	})
}

func (c *checker) at(x place) (*part, *input) {
	p := c.parts[x>>32]
	return p, &p.in[uint32(x)]
}

// resolve finds the input that an event speaks of, by position or by id.
func (c *checker) resolve(e *record) (*part, *input) {
	if e.topic != 0 && e.offset >= 0 {
		p := c.part(e.topic, e.partition)
		if i := p.find(e.offset); i >= 0 {
			return p, &p.in[i]
		}
		return nil, nil
	}
	if at := c.ids.get(e.id); e.id > 0 && at != nowhere {
		return c.at(at)
	}
	return nil, nil
}
