package kafkatest

import "slices"

const (
	excerptLines = 4      // on each side
	excerptReach = 200000 // events that are looked at on each side
)

// around returns the lines that match before and after an event, which is
// marked. An index of -1 gives none.
func (c *checker) around(at int, match func(*record) bool) []string {
	if at < 0 || at >= c.s.n {
		return nil
	}
	var lines []string
	for i := at - 1; i >= max(0, at-excerptReach) && len(lines) < excerptLines; i-- {
		if match(c.s.at(i)) {
			lines = append(lines, "  "+c.s.event(i).String())
		}
	}
	slices.Reverse(lines)
	lines = append(lines, "> "+c.s.event(at).String())
	for i, n := at+1, 0; i < min(c.s.n, at+excerptReach) && n < excerptLines; i++ {
		if match(c.s.at(i)) {
			lines, n = append(lines, "  "+c.s.event(i).String()), n+1
		}
	}
	return lines
}

// first returns the index of the first event that matches, -1 if none does.
func (c *checker) first(match func(*record) bool) int {
	for i := range c.s.n {
		if match(c.s.at(i)) {
			return i
		}
	}
	return -1
}

// runsOf matches what the run did with a partition.
func (p *part) runsOf(e *record) bool {
	switch e.kind {
	case KindAssigned, KindRevoked, KindLost, KindStart, KindEnd:
		return e.topic == p.topic && e.partition == p.partition
	case KindFailed, KindSkipped:
		return e.topic == 0 || e.topic == p.topic && e.partition == p.partition
	case KindKilled:
		return true
	case KindProduced, KindAcked, KindOutput, KindCommitted:
	}
	return false
}

// messageOf matches everything about one input.
func (p *part) messageOf(in *input) func(*record) bool {
	offset, id := in.offset, in.id
	return func(e *record) bool {
		if e.topic == p.topic && e.partition == p.partition && e.offset == offset {
			return e.kind != KindCommitted
		}
		return id != 0 && e.id == id
	}
}

// message returns the whole story of an input.
func (c *checker) message(p *part, in *input) []string {
	match := p.messageOf(in)
	return c.around(c.first(match), match)
}
