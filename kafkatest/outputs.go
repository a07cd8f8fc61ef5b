package kafkatest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// outLog is one output partition, by offset.
type outLog struct {
	topic     uint32
	partition int32
	events    []int32
	late      []bool
}

// outputs reads each output partition in the order of its log.
func (c *checker) outputs() {
	logs := c.outLogs()
	var topic uint32
	for n, l := range logs {
		if n == 0 || l.topic != topic {
			topic = l.topic
			c.outTopics++
		}
		l.events = c.unique(l.events)
		l.late = make([]bool, len(l.events))
		number := uint32(n) + 1
		c.forward(l, number)
		if c.o.Ordering != Unordered {
			c.backward(l, number)
		}
	}
	if c.outTopics > 1 {
		c.r.Bound *= c.outTopics // what runs again is written again to each
	}
	c.acked(logs)
}

func (c *checker) outLogs() []*outLog {
	byID := map[uint64]*outLog{}
	var logs []*outLog
	for i := range c.s.n {
		e := c.s.at(i)
		if e.kind != KindOutput {
			continue
		}
		c.r.Outputs++
		key := uint64(e.outTopic)<<32 | uint64(uint32(e.outPartition))
		l := byID[key]
		if l == nil {
			l = &outLog{topic: e.outTopic, partition: e.outPartition}
			byID[key], logs = l, append(logs, l)
		}
		l.events = append(l.events, int32(i))
	}
	for _, l := range logs {
		byOffset := func(a, b int32) int { return cmp.Compare(c.s.at(int(a)).aux, c.s.at(int(b)).aux) }
		if !slices.IsSortedFunc(l.events, byOffset) {
			slices.SortStableFunc(l.events, byOffset)
		}
	}
	slices.SortStableFunc(logs, func(a, b *outLog) int { return cmp.Compare(a.topic, b.topic) })
	return logs
}

// unique drops what was read twice and names what was read differently.
func (c *checker) unique(events []int32) []int32 {
	out := events[:0]
	for _, i := range events {
		if len(out) > 0 {
			last, e := c.s.at(int(out[len(out)-1])), c.s.at(int(i))
			if last.aux == e.aux {
				if last.id != e.id {
					c.inconsistent(c.s.event(int(i)).Output, last.id, e.id)
				}
				continue
			}
		}
		out = append(out, i)
	}
	return out
}

// forward counts copies and finds late writes.
func (c *checker) forward(l *outLog, number uint32) {
	for n, i := range l.events {
		e := c.s.at(int(i))
		p, in := c.resolve(e)
		if in == nil {
			c.r.UnknownOutputs++
			continue
		}
		in.flags |= flagOutput
		if e.at != 0 && (in.outputAt == 0 || e.at < in.outputAt) {
			in.outputAt = e.at
		}
		if topic := l.topic + 1; in.topicMark != topic {
			in.topicMark, in.copies = topic, 0
		}
		if in.copies < math.MaxUint16 {
			in.copies++
		}
		if in.copies > 1 {
			c.duplicate(p, in, l, i)
		}
		l.late[n] = c.isLate(p, in, number, i)
	}
}

func (c *checker) duplicate(p *part, in *input, l *outLog, i int32) {
	c.r.Duplicates++
	v := &Duplicate{Finding: c.findingOf(p, in), Copies: int(in.copies), Topic: c.s.names[l.topic]}
	c.r.report(v, func() (string, []string) {
		return fmt.Sprintf("copy %d in topic %s", in.copies, c.s.names[l.topic]), c.around(int(i), p.messageOf(in))
	})
}

// isLate says whether a later generation of the producer, or a later owner, has
// written to this domain before.
func (c *checker) isLate(p *part, in *input, number uint32, i int32) bool {
	e, d := c.s.at(int(i)), &c.domains[in.domain]
	var ordinal int32
	if t := p.tenures[owner{e.member, e.epoch}]; t != nil && e.member != 0 {
		ordinal = t.ordinal
	}
	if d.stamp != number {
		d.stamp, d.reverse = number, math.MaxInt32
		d.member, d.generation, d.ordinal = e.member, e.count, ordinal
		return false
	}
	late := e.member == d.member && e.count != 0 && e.count < d.generation || ordinal != 0 && ordinal < d.ordinal
	if !late {
		d.member, d.generation, d.ordinal = e.member, e.count, ordinal
		return false
	}
	c.r.report(&LateWrite{c.findingOf(p, in)}, func() (string, []string) {
		return fmt.Sprintf("generation %d of member %s is behind generation %d of member %s",
			e.count, c.s.names[e.member], d.generation, c.s.names[d.member]), c.around(int(i), e.outputOf)
	})
	return true
}

// backward finds last copies that are not in the order of the input.
func (c *checker) backward(l *outLog, number uint32) {
	for n, i := range slices.Backward(l.events) {
		p, in := c.resolve(c.s.at(int(i)))
		if in == nil || in.partMark == number || l.late[n] {
			continue
		}
		in.partMark = number
		at, d := int32(p.search(in.offset)), &c.domains[in.domain]
		if at < d.reverse {
			d.reverse = at
			continue
		}
		c.r.report(&OutOfOrder{c.findingOf(p, in)}, func() (string, []string) {
			return fmt.Sprintf("the last copy of offset %d is behind its last copy in %s", p.in[d.reverse].offset,
				c.s.event(int(i)).Output), c.around(int(i), c.s.at(int(i)).outputOf)
		})
	}
}

// outputOf matches the records of the same output partition.
func (r *record) outputOf(e *record) bool {
	return e.kind == KindOutput && e.outTopic == r.outTopic && e.outPartition == r.outPartition
}

// acked looks up every acknowledged output in the logs that were read back.
func (c *checker) acked(logs []*outLog) {
	byID := map[uint64]*outLog{}
	for _, l := range logs {
		byID[uint64(l.topic)<<32|uint64(uint32(l.partition))] = l
	}
	for i := range c.s.n {
		e := c.s.at(i)
		if e.kind != KindAcked {
			continue
		}
		l := byID[uint64(e.outTopic)<<32|uint64(uint32(e.outPartition))]
		if l != nil {
			if n, ok := slices.BinarySearchFunc(l.events, e.aux, func(x int32, o int64) int {
				return cmp.Compare(c.s.at(int(x)).aux, o)
			}); ok {
				if found := c.s.at(int(l.events[n])); e.id != 0 && found.id != 0 && found.id != e.id {
					c.inconsistent(c.s.event(i).Output, e.id, found.id)
				}
				continue
			}
		}
		f := Finding{Input: c.s.event(i).Input, ID: e.id}
		if p, in := c.resolve(e); in != nil {
			f = c.findingOf(p, in)
		}
		c.r.report(&LostWrite{f}, func() (string, []string) {
			return "its acknowledged output is not at " + c.s.event(i).Output.String(), c.around(i, e.outputOf)
		})
	}
}
