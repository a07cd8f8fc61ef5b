package kafkatest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
)

// Each case seeds one anomaly; the checker must give it exactly these names, and
// the report must be an error that shows the line.
func TestCheckNamesEachAnomaly(t *testing.T) {
	a, b := who{"a", 1, 0}, who{"b", 1, 0}
	ok := kafkatest.OutcomeOK
	begin := func(n int64) *story { return tell().produced(0, n).assigned("a", 1, 0) }
	for name, c := range map[string]struct {
		story   *story
		options kafkatest.Options
		want    []kafkatest.Name
	}{
		"an output is missing and its offset not committed": {
			story: begin(3).ran(a, 0).start(a, 1).end(a, 1, ok).ran(a, 2).committed(0, 1),
			want:  []kafkatest.Name{kafkatest.NameLost},
		},
		"a filter's failed message is committed away": {
			story:   begin(3).ran(a, 0).start(a, 1).end(a, 1, kafkatest.OutcomeCancelled).ran(a, 2).committed(0, 3),
			options: kafkatest.Options{Filter: true},
			want:    []kafkatest.Name{kafkatest.NameLost, kafkatest.NameCommittedPastUnsettled},
		},
		"a record is written twice for no reason": {
			story: begin(2).ran(a, 0, 1).output(0, 1),
			want:  []kafkatest.Name{kafkatest.NameDuplicate},
		},
		"an offset is passed over": {
			story: begin(3).ran(a, 0, 2),
			want: []kafkatest.Name{
				kafkatest.NameLost, kafkatest.NameSkipped, kafkatest.NameLostWrite, kafkatest.NameSkippedByPoll,
			},
		},
		"an offset is passed over by one owner and run by the next": {
			story: begin(3).ran(a, 0, 2).assigned("b", 1, 0).ran(b, 1, 2),
			want:  []kafkatest.Name{kafkatest.NameSkippedByPoll, kafkatest.NameDuplicate},
		},
		"only the failed unit runs again": {
			story: begin(4).start(a, 0).end(a, 0, ok).ran(a, 1, 2).failed(0, 0).ran(a, 0).ran(a, 3),
			want:  []kafkatest.Name{kafkatest.NameOutOfOrder, kafkatest.NameSkippedByPoll},
		},
		"outputs change places": {
			story: begin(3).ran(a, 0).start(a, 1).end(a, 1, ok).start(a, 2).end(a, 2, ok).output(0, 2).output(0, 1),
			want:  []kafkatest.Name{kafkatest.NameOutOfOrder},
		},
		"the runs step back without a failure": {
			story: begin(3).ran(a, 0, 1, 2).ran(a, 1, 2),
			want:  []kafkatest.Name{kafkatest.NameOutOfOrder, kafkatest.NameNonMonotonicPoll, kafkatest.NameDuplicate},
		},
		"the runs step back below the failed unit": {
			story: begin(3).ran(a, 0).start(a, 1).end(a, 1, kafkatest.OutcomeFailed).ran(a, 0, 1, 2),
			want:  []kafkatest.Name{kafkatest.NameOutOfOrder, kafkatest.NameNonMonotonicPoll, kafkatest.NameDuplicate},
		},
		"a new owner runs again what was committed": {
			story: begin(3).ran(a, 0, 1).committed(0, 2).killed("a").assigned("b", 1, 0).ran(b, 0, 1, 2),
			want:  []kafkatest.Name{kafkatest.NameOutOfOrder, kafkatest.NameDuplicate},
		},
		"a commit is ahead of a running message": {
			story: begin(3).ran(a, 0).start(a, 1).committed(0, 2).end(a, 1, ok).output(0, 1).ran(a, 2),
			want:  []kafkatest.Name{kafkatest.NameCommittedPastUnsettled},
		},
		"a commit is ahead of an output": {
			story: begin(2).ran(a, 0).start(a, 1).end(a, 1, ok).committed(0, 2).output(0, 1),
			want:  []kafkatest.Name{kafkatest.NameCommittedPastUnsettled},
		},
		"a commit goes back": {
			story: begin(3).ran(a, 0, 1, 2).committed(0, 3).committed(0, 1),
			want:  []kafkatest.Name{kafkatest.NameOffsetBack},
		},
		"an assigned partition stands still": {
			story: begin(2).ran(a, 0, 1).produced(1, 2).assigned("a", 1, 1).owner(kafkatest.KindRevoked, "a", 1, 1),
			want:  []kafkatest.Name{kafkatest.NameLost, kafkatest.NameUnseen, kafkatest.NameNoProgress},
		},
		"an assigned partition stalls": {
			story:   begin(3).ran(a, 0).committed(0, 1).ran(a, 1, 2),
			options: kafkatest.Options{MaxStall: 8 * time.Millisecond},
			want:    []kafkatest.Name{kafkatest.NameNoProgress},
		},
		"two owners run at once": {
			story: begin(2).start(a, 0).assigned("b", 1, 0).start(b, 0).end(b, 0, ok).end(a, 0, ok).output(0, 0).ran(b, 1),
			want:  []kafkatest.Name{kafkatest.NameOverlap},
		},
		"one lane runs two units at once": {
			story: begin(2).start(a, 0).start(a, 1).end(a, 0, ok).end(a, 1, ok).output(0, 0).output(0, 1),
			want:  []kafkatest.Name{kafkatest.NameOverlap},
		},
		"two owners run one key at once": {
			story: begin(3).start(a, 0).assigned("b", 1, 0).start(b, 0).end(b, 0, ok).output(0, 0).
				end(a, 0, ok).ran(b, 1, 2),
			options: kafkatest.Options{Ordering: kafkatest.ByKey},
			want:    []kafkatest.Name{kafkatest.NameOverlap},
		},
		"an owner that lost the partition still runs": {
			story: begin(2).start(a, 0).assigned("b", 1, 0).start(b, 0).end(b, 0, ok).
				owner(kafkatest.KindLost, "a", 1, 0).end(a, 0, kafkatest.OutcomeCancelled).output(0, 0).ran(b, 1),
			options: kafkatest.Options{Forbid: []kafkatest.Name{kafkatest.NameOverlapAfterLoss}},
			want:    []kafkatest.Name{kafkatest.NameOverlapAfterLoss},
		},
		"an acknowledged output is not in the log": {
			story: begin(2).ran(a, 0).event(acked(1, 1)).ran(a, 1).event(acked(1, 2)),
			want:  []kafkatest.Name{kafkatest.NameLostWrite},
		},
		"one id is written twice to the input": {
			story: begin(2).ran(a, 0, 1).event(kafkatest.Event{Kind: kafkatest.KindProduced, ID: id(0, 1), Input: in(0, 2)}).
				start(a, 2).end(a, 2, kafkatest.OutcomeSkipped),
			want: []kafkatest.Name{kafkatest.NameDuplicateWrite, kafkatest.NameInconsistentOffset},
		},
		"one position has two ids": {
			story: begin(2).ran(a, 0).event(kafkatest.Event{
				Kind: kafkatest.KindStart, Member: "a", Epoch: 1, Input: in(0, 1), ID: 77,
			}).end(a, 1, ok).output(0, 1),
			want: []kafkatest.Name{kafkatest.NameInconsistentOffset},
		},
		"the tail of the input is not seen": {
			story: begin(3).ran(a, 0, 1),
			want:  []kafkatest.Name{kafkatest.NameLost, kafkatest.NameUnseen},
		},
		"an earlier producer generation writes late": {
			story: begin(3).start(a, 0).end(a, 0, ok).start(a, 1).end(a, 1, ok).failed(0, 0).start(a, 0).end(a, 0, ok).
				outputOf(a, 0, 2).start(a, 1).end(a, 1, ok).outputOf(a, 1, 2).outputOf(a, 0, 1).start(a, 2).end(a, 2, ok).outputOf(a, 2, 2),
			options: kafkatest.Options{Forbid: []kafkatest.Name{kafkatest.NameLateWrite}},
			want:    []kafkatest.Name{kafkatest.NameLateWrite, kafkatest.NameDuplicate},
		},
		"an earlier owner writes late": {
			story: begin(2).start(a, 0).end(a, 0, ok).start(a, 1).end(a, 1, ok).assigned("b", 1, 0).start(b, 0).end(b, 0, ok).
				outputOf(b, 0, 1).start(b, 1).end(b, 1, ok).outputOf(b, 1, 1).outputOf(a, 0, 5),
			options: kafkatest.Options{Forbid: []kafkatest.Name{kafkatest.NameLateWrite}},
			want:    []kafkatest.Name{kafkatest.NameLateWrite, kafkatest.NameDuplicate},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := kafkatest.Check(c.story.History, c.options)
			mustName(t, r, c.want...)
			err := r.Err()
			if err == nil {
				t.Fatal("the report is no error")
			}
			if !strings.Contains(err.Error(), "\n    > #") && !strings.Contains(err.Error(), "\n    > ") {
				t.Fatalf("no evidence in %v", err)
			}
		})
	}
}

// acked is the acknowledgement of an output of an offset at an output offset.
func acked(offset, out int64) kafkatest.Event {
	return kafkatest.Event{
		Kind: kafkatest.KindAcked, ID: id(0, offset), Input: in(0, offset),
		Output: kafkatest.Position{Topic: "out", Offset: out},
	}
}

func TestCheckJudgesDuplicatesByTheirRule(t *testing.T) {
	a, b := who{"a", 1, 0}, who{"b", 1, 0}
	s := tell().produced(0, 3).assigned("a", 1, 0).ran(a, 0, 1).killed("a").assigned("b", 1, 0).ran(b, 0, 1, 2)
	for rule, want := range map[kafkatest.DuplicateRule]bool{
		kafkatest.DuplicatesBounded: true, kafkatest.DuplicatesAny: true, kafkatest.DuplicatesNone: false,
	} {
		r := kafkatest.Check(s.History, kafkatest.Options{Duplicates: rule})
		if got := r.Err() == nil; got != want || r.Duplicates != 2 {
			t.Errorf("rule %d: accepted %v with %d duplicates, want %v with 2", rule, got, r.Duplicates, want)
		}
	}
	s.output(0, 2)
	if r := kafkatest.Check(s.History, kafkatest.Options{}); r.Err() == nil {
		t.Errorf("%d duplicates beyond the bound %d were accepted", r.Duplicates, r.Bound)
	}
}

func TestCheckKeepsSomeEvidenceAndCountsAll(t *testing.T) {
	s := tell().produced(0, 20).assigned("a", 1, 0).ran(who{"a", 1, 0}, 0)
	r := kafkatest.Check(s.History, kafkatest.Options{MaxFindings: 2, Allow: []kafkatest.Name{kafkatest.NameUnseen}})
	if got := len(r.Find(kafkatest.NameLost)); got != 2 || r.Count(kafkatest.NameLost) != 19 {
		t.Fatalf("%d findings of %d", got, r.Count(kafkatest.NameLost))
	}
	if v := r.Violations(); len(v) != 1 || v[0] != kafkatest.NameLost {
		t.Fatalf("violations %q", v)
	}
}
