package kafkatest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
)

// story writes a history in few words: one group, the input topic "in" and the
// output topic "out" with the same partitions. Every event is one millisecond
// after the one before it.
type story struct {
	*kafkatest.History
	now     time.Time
	outEnd  map[int32]int64
	commits int64
	attempt map[kafkatest.Position]int32
}

const base = 1000 // id of offset 0 in partition 0

func tell() *story {
	return &story{
		History: kafkatest.NewHistory(), now: time.Unix(1_800_000_000, 0),
		outEnd: map[int32]int64{}, attempt: map[kafkatest.Position]int32{},
	}
}

func id(partition int32, offset int64) int64 { return base + int64(partition)*100_000 + offset }

func in(partition int32, offset int64) kafkatest.Position {
	return kafkatest.Position{Topic: "in", Partition: partition, Offset: offset}
}

func (s *story) tick() time.Time {
	s.now = s.now.Add(time.Millisecond)
	return s.now
}

func (s *story) event(e kafkatest.Event) *story {
	e.At = s.tick()
	s.Add(e)
	return s
}

// produced writes n messages to a partition, with two keys in turn.
func (s *story) produced(partition int32, n int64) *story {
	for o := range n {
		s.event(kafkatest.Event{
			Kind: kafkatest.KindProduced, ID: id(partition, o), Input: in(partition, o), Key: keyOf(o),
		})
	}
	return s
}

func keyOf(offset int64) string { return []string{"even", "odd"}[offset%2] }

func (s *story) assigned(member string, epoch, partition int32) *story {
	return s.owner(kafkatest.KindAssigned, member, epoch, partition)
}

func (s *story) owner(kind kafkatest.Kind, member string, epoch, partition int32) *story {
	return s.event(kafkatest.Event{Kind: kind, Member: member, Epoch: epoch, Input: in(partition, kafkatest.Unknown)})
}

// who runs something.
type who struct {
	member    string
	epoch     int32
	partition int32
}

func (s *story) run(w who, kind kafkatest.Kind, offset int64, o kafkatest.Outcome) *story {
	at := in(w.partition, offset)
	if kind == kafkatest.KindStart {
		s.attempt[at]++
	}
	return s.event(kafkatest.Event{
		Kind: kind, Member: w.member, Epoch: w.epoch, Input: at, ID: id(w.partition, offset),
		Attempt: s.attempt[at], Outcome: o,
	})
}

func (s *story) start(w who, offset int64) *story { return s.run(w, kafkatest.KindStart, offset, 0) }

func (s *story) end(w who, offset int64, o kafkatest.Outcome) *story {
	return s.run(w, kafkatest.KindEnd, offset, o)
}

// ran runs and outputs the given offsets.
func (s *story) ran(w who, offsets ...int64) *story {
	for _, o := range offsets {
		s.start(w, o).end(w, o, kafkatest.OutcomeOK).output(w.partition, o)
	}
	return s
}

func (s *story) output(partition int32, offset int64) *story {
	return s.outputOf(who{partition: partition}, offset, 0)
}

func (s *story) outputOf(w who, offset int64, generation int32) *story {
	n := s.outEnd[w.partition]
	s.outEnd[w.partition]++
	return s.event(kafkatest.Event{
		Kind: kafkatest.KindOutput, ID: id(w.partition, offset), Input: in(w.partition, offset),
		Output: kafkatest.Position{Topic: "out", Partition: w.partition, Offset: n},
		Member: w.member, Epoch: w.epoch, Generation: generation,
	})
}

func (s *story) committed(partition int32, offset int64) *story {
	s.now = s.now.Add(5 * time.Millisecond) // beyond the slack
	s.commits++
	s.event(kafkatest.Event{Kind: kafkatest.KindCommitted, Group: "g", Input: in(partition, offset), LogPosition: s.commits})
	s.now = s.now.Add(5 * time.Millisecond)
	return s
}

func (s *story) failed(partition int32, offset int64) *story {
	return s.event(kafkatest.Event{Kind: kafkatest.KindFailed, Input: in(partition, offset), Reason: "delivery"})
}

func (s *story) killed(member string) *story {
	return s.event(kafkatest.Event{Kind: kafkatest.KindKilled, Member: member})
}

func mustPass(t *testing.T, h *kafkatest.History, o kafkatest.Options) *kafkatest.Report {
	t.Helper()
	r := kafkatest.Check(h, o)
	if err := r.Err(); err != nil {
		t.Fatalf("a correct run was refused: %v", err)
	}
	return r
}

// mustName fails unless exactly these verdicts were found, each with evidence.
func mustName(t *testing.T, r *kafkatest.Report, names ...kafkatest.Name) {
	t.Helper()
	var got []kafkatest.Name
	for _, v := range r.Findings {
		if !slices.Contains(got, v.Name()) {
			got = append(got, v.Name())
		}
	}
	slices.Sort(got)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		t.Fatalf("verdicts %q, want %q\n%s", got, names, r.String())
	}
}
