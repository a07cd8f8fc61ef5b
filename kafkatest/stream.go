package kafkatest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Stream is the ids of a topic, per partition in the order of the log: all that
// Compare needs of a message, at 8 bytes each. It is not safe for concurrent use.
type Stream struct {
	parts map[int32][]int64
	n     int
}

// Add appends an id to a partition. Ids are at least 1.
func (s *Stream) Add(partition int32, id int64) {
	if s.parts == nil {
		s.parts = map[int32][]int64{}
	}
	s.parts[partition] = append(s.parts[partition], id)
	s.n++
}

// Len returns the number of ids.
func (s *Stream) Len() int { return s.n }

// Diff is what Compare found. Samples holds a few ids of each count.
type Diff struct {
	In, Out int
	// Missing: in the input and not in the output.
	Missing int
	// Unexpected: in the output and not in the input.
	Unexpected int
	// Duplicates: copies beyond the first in the output.
	Duplicates int
	// OutOfOrder: last copies that are behind the last copy of a later message of
	// the same input partition, in the same output partition.
	OutOfOrder int
	// Repeated: ids that are in the input twice; the second one is not judged.
	Repeated int

	MissingIDs, UnexpectedIDs, DuplicateIDs, OutOfOrderIDs []int64
}

const samples = 10

// Compare judges two topics as sets of ids, and the order of each input
// partition on the last copies. It needs no history.
func Compare(in, out *Stream) *Diff {
	d := &Diff{In: in.n, Out: out.n}
	rows, ids := d.rows(in)
	for _, p := range slices.Sorted(maps.Keys(out.parts)) {
		d.read(rows, ids, out.parts[p])
	}
	for i := range rows {
		if rows[i].copies == 0 {
			d.Missing++
			d.MissingIDs = sample(d.MissingIDs, rows[i].id)
		}
	}
	return d
}

// row is one input: its partition's number and its index there.
type row struct {
	id     int64
	part   int32
	index  int32
	copies int32
	seen   bool // its last copy in the output partition that is read
}

func (d *Diff) rows(in *Stream) ([]row, *idIndex) {
	rows := make([]row, 0, in.n)
	low, high := int64(1)<<62, int64(0)
	for number, p := range slices.Sorted(maps.Keys(in.parts)) {
		for i, id := range in.parts[p] {
			rows = append(rows, row{id: id, part: int32(number), index: int32(i)})
			low, high = min(low, id), max(high, id)
		}
	}
	ids := newIDIndex(low, high, int64(len(rows)))
	kept := rows[:0]
	for _, r := range rows {
		if ids.get(r.id) != nowhere {
			d.Repeated++
			continue
		}
		ids.set(r.id, place(len(kept)))
		kept = append(kept, r)
	}
	return kept, ids
}

// read goes through one output partition: forward to count, backward to judge
// the order of the last copies.
func (d *Diff) read(rows []row, ids *idIndex, out []int64) {
	lowest := map[int32]int32{}
	for _, id := range slices.Backward(out) {
		at := ids.get(id)
		if at == nowhere {
			d.Unexpected++
			d.UnexpectedIDs = sample(d.UnexpectedIDs, id)
			continue
		}
		r := &rows[at]
		if r.copies++; r.copies > 1 {
			d.Duplicates++
			d.DuplicateIDs = sample(d.DuplicateIDs, r.id)
		}
		if r.seen {
			continue
		}
		r.seen = true
		if low, ok := lowest[r.part]; ok && r.index > low {
			d.OutOfOrder++
			d.OutOfOrderIDs = sample(d.OutOfOrderIDs, r.id)
			continue
		}
		lowest[r.part] = r.index
	}
	for _, id := range out {
		if at := ids.get(id); at != nowhere {
			rows[at].seen = false
		}
	}
}

func sample(ids []int64, id int64) []int64 {
	if len(ids) < samples {
		ids = append(ids, id)
	}
	return ids
}

// Err returns nil if the output is the input as a set, in order, with at most
// this many duplicates; -1 allows any number.
func (d *Diff) Err(duplicates int) error {
	many := duplicates >= 0 && d.Duplicates > duplicates
	if d.Missing+d.Unexpected+d.OutOfOrder+d.Repeated == 0 && !many {
		return nil
	}
	var b strings.Builder
	for _, s := range []struct {
		name string
		ids  []int64
	}{
		{"missing", d.MissingIDs},
		{"unexpected", d.UnexpectedIDs},
		{"duplicate", d.DuplicateIDs},
		{"out of order", d.OutOfOrderIDs},
	} {
		if len(s.ids) > 0 {
			slices.SortFunc(s.ids, cmp.Compare)
			fmt.Fprintf(&b, "\n  %s: %d", s.name, s.ids)
		}
	}
	return &CheckError{Summary: d.String(), Detail: b.String()}
}

// String returns the counts in the words of a Report.
func (d *Diff) String() string {
	s := fmt.Sprintf("lost=%d out_of_order=%d duplicates=%d in=%d out=%d", d.Missing, d.OutOfOrder, d.Duplicates, d.In, d.Out)
	if d.Unexpected > 0 {
		s += fmt.Sprintf(" unexpected=%d", d.Unexpected)
	}
	if d.Repeated > 0 {
		s += fmt.Sprintf(" repeated=%d", d.Repeated)
	}
	return s
}
