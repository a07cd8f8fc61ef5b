package kafkatest

// Check judges a history. It is one pass over the events to index the input, one
// over the runs in the order of the history, one over each output partition in
// the order of its log, and one over the commits in theirs.
func Check(h *History, o Options) *Report {
	c := &checker{
		s: h.snapshot(), o: o.withDefaults(), partIDs: map[uint64]*part{},
		r: &Report{counts: map[Name]int{}},
	}
	c.r.options = c.o
	c.index()
	c.commitLog()
	c.runs()
	c.outputs()
	c.commits()
	c.inputs()
	return c.r
}

// checker is the state of one Check.
type checker struct {
	s *snapshot
	o Options
	r *Report

	parts     []*part // in the order of their first event
	partIDs   map[uint64]*part
	ids       *idIndex
	domains   []domain
	outTopics int // distinct topics with outputs
}

// owner is one assignment of a partition.
type owner struct {
	member uint32
	epoch  int32
}

// tenure is what is known of an owner of a partition.
type tenure struct {
	ordinal int32 // its place in the order of assignments, from 1
	lost    bool  // it lost the partition, at any time of the history
}

// openRun is a run that has started and not ended.
type openRun struct {
	owner owner
	unit  int64
	start int32 // index of its start event
	in    int32 // index of its input
}

// part is one input partition.
type part struct {
	topic     uint32
	partition int32
	number    uint32
	in        []input // by offset
	extra     []input // run or output, but not noted as produced

	log       []commitAt // commits in log order
	served    int        // how many of them were certainly there by now
	committed int64      // their position, Unknown if there is none

	tenures  map[owner]*tenure
	ordinals int32
	current  owner // who has the partition
	owned    bool
	everHad  bool // it was assigned at least once

	open      []openRun
	highest   int32 // index of the highest input that was started, -1
	lastStart int32 // event index + 1
	counted   int32 // event index + 1 of the last failure that counted its window
	freeStep  int32 // event index + 1 of the last failure with an unknown unit
	settled   int
	movedAt   int64 // when it last settled something or was assigned
}

// commitAt is one commit; at is 0 if its time is not known.
type commitAt struct {
	at, offset, log int64
	event           int32
}

// domain is a partition or a key of it: what must run in order.
type domain struct {
	owner    owner
	last     int32   // index of the input that it started last, -1
	pending  []int64 // offsets that failed and have not run again
	usedStep int32   // the freeStep that it used

	// of the pass over one output partition, valid if stamp is its number
	stamp      uint32
	reverse    int32 // lowest input of the last copies seen from the end
	member     uint32
	generation int32
	ordinal    int32

	lastRun   int32 // of the pass over the inputs
	lastRunIn int32
}

// where returns the position of an input of p.
func (c *checker) where(p *part, offset int64) Position {
	return Position{c.s.names[p.topic], p.partition, offset}
}

func (c *checker) findingOf(p *part, in *input) Finding {
	return Finding{Input: c.where(p, in.offset), ID: in.id}
}
