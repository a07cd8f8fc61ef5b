package kafkatest_test

import (
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
)

func TestCheckJudgesTheLastRunsWithoutOutputs(t *testing.T) {
	a := who{"a", 1, 0}
	for _, assigned := range []bool{true, false} {
		s := tell().produced(0, 4)
		if assigned {
			s.assigned("a", 1, 0)
		}
		for o := range int64(3) {
			s.start(a, o).end(a, o, kafkatest.OutcomeOK)
		}
		s.failed(0, 0).start(a, 0).end(a, 0, kafkatest.OutcomeOK).start(a, 3).end(a, 3, kafkatest.OutcomeOK)
		r := kafkatest.Check(s.History, kafkatest.Options{Filter: true})
		mustName(t, r, kafkatest.NameOutOfOrder, kafkatest.NameSkippedByPoll)
	}
}

func TestCheckDoesNotOrderRunsOfAnOwnerThatIsGone(t *testing.T) {
	a, b, ok := who{"a", 1, 0}, who{"b", 1, 0}, kafkatest.OutcomeOK
	s := tell().produced(0, 2).assigned("a", 1, 0).start(a, 0).assigned("b", 1, 0)
	s.start(b, 0).end(b, 0, ok).start(b, 1).end(b, 1, ok).end(a, 0, ok).owner(kafkatest.KindLost, "a", 1, 0)
	r := kafkatest.Check(s.History, kafkatest.Options{Filter: true})
	mustName(t, r, kafkatest.NameOverlapAfterLoss)
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
}

func TestCheckNamesAStartOfAnOwnerThatIsGone(t *testing.T) {
	a, b := who{"a", 1, 0}, who{"b", 1, 0}
	for _, lost := range []bool{false, true} {
		s := tell().produced(0, 3).assigned("a", 1, 0).assigned("b", 1, 0)
		for o := range int64(3) {
			s.start(b, o).end(b, o, kafkatest.OutcomeOK)
		}
		s.start(a, 1).end(a, 1, kafkatest.OutcomeOK)
		want := kafkatest.NameOverlap
		if lost {
			s.owner(kafkatest.KindLost, "a", 1, 0)
			want = kafkatest.NameOverlapAfterLoss
		}
		mustName(t, kafkatest.Check(s.History, kafkatest.Options{Filter: true}), want)
	}
}

func TestCheckForgetsAFailureThatAPolicySkipped(t *testing.T) {
	a, b := who{"a", 1, 0}, who{"b", 1, 0}
	for _, next := range []who{a, b} {
		s := tell().produced(0, 3).assigned("a", 1, 0).start(a, 0).end(a, 0, kafkatest.OutcomeFailed)
		s.event(kafkatest.Event{Kind: kafkatest.KindSkipped, Member: "a", Input: in(0, 0)})
		if next == b {
			s.assigned("b", 1, 0)
		}
		s.ran(next, 1).ran(next, 1, 2)
		mustName(t, kafkatest.Check(s.History, kafkatest.Options{}),
			kafkatest.NameDuplicate, kafkatest.NameOutOfOrder, kafkatest.NameNonMonotonicPoll)
	}
}

func TestCheckAllowsTheStepBackBehindAMessageThatAPolicySkipped(t *testing.T) {
	a := who{"a", 1, 0}
	for _, again := range []bool{false, true} {
		s := tell().produced(0, 3).assigned("a", 1, 0)
		for o := range int64(3) {
			s.start(a, o).end(a, o, kafkatest.OutcomeOK)
		}
		s.failed(0, 0).event(kafkatest.Event{Kind: kafkatest.KindSkipped, Member: "a", Input: in(0, 0)})
		s.ran(a, 1, 2)
		if !again {
			if err := kafkatest.Check(s.History, kafkatest.Options{}).Err(); err != nil {
				t.Error(err)
			}
			continue
		}
		s.ran(a, 1, 2)
		mustName(t, kafkatest.Check(s.History, kafkatest.Options{}),
			kafkatest.NameDuplicate, kafkatest.NameOutOfOrder, kafkatest.NameNonMonotonicPoll)
	}
}

func TestCheckDoesNotExcuseOverlapInsideALaneByItsLoss(t *testing.T) {
	a, ok := who{"a", 1, 0}, kafkatest.OutcomeOK
	s := tell().produced(0, 2).assigned("a", 1, 0).start(a, 0).start(a, 1).end(a, 0, ok).end(a, 1, ok)
	s.owner(kafkatest.KindLost, "a", 1, 0)
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{Filter: true}), kafkatest.NameOverlap)
}

func TestCheckCountsTheWindowOfEachFailureOnce(t *testing.T) {
	a, b := who{"a", 1, 0}, who{"b", 1, 0}
	other := who{"c", 1, 1}
	begin := func() *story {
		return tell().produced(0, 6).produced(1, 6).assigned("a", 1, 0).assigned("c", 1, 1).
			ran(other, 0, 1, 2, 3, 4, 5).ran(a, 0, 1, 2).committed(0, 1).ran(a, 3)
	}
	for name, c := range map[string]struct {
		story *story
		bound int
	}{
		"a new owner":                  {begin().assigned("b", 1, 0), 3},
		"a kill and a new owner":       {begin().killed("a").assigned("b", 1, 0), 3},
		"two new owners":               {begin().killed("a").assigned("b", 1, 0).ran(b, 1, 2).killed("b").assigned("d", 1, 0), 6},
		"a failed delivery":            {begin().failed(0, 2), 2},
		"a delivery below the commit":  {begin().failed(0, 0), 3},
		"a failure of the whole part":  {begin().failed(0, kafkatest.Unknown), 3},
		"a failure of the member":      {begin().event(kafkatest.Event{Kind: kafkatest.KindFailed, Member: "a", Input: in(0, -1)}), 3},
		"an attempt that failed":       {begin().start(a, 4).end(a, 4, kafkatest.OutcomeFailed), 1},
		"a kill of somebody else":      {begin().killed("x"), 0},
		"a kill of the other's member": {begin().killed("c"), 6},
	} {
		t.Run(name, func(t *testing.T) {
			o := kafkatest.Options{Incomplete: true, Allow: []kafkatest.Name{kafkatest.NameLost}}
			if r := kafkatest.Check(c.story.History, o); r.Bound != c.bound {
				t.Fatalf("bound %d, want %d", r.Bound, c.bound)
			}
		})
	}
}

func TestCheckAllowsOneStepBackPerFailureOfUnknownPlace(t *testing.T) {
	a, b := who{"a", 1, 0}, who{"b", 1, 0}
	member := kafkatest.Event{Kind: kafkatest.KindFailed, Member: "a", Input: kafkatest.Position{Offset: kafkatest.Unknown}}
	begin := func() *story { return tell().produced(0, 3).assigned("a", 1, 0).ran(a, 0, 1) }
	mustPass(t, begin().event(member).ran(a, 0, 1, 2).History, kafkatest.Options{})
	any := kafkatest.Options{Duplicates: kafkatest.DuplicatesAny}
	want := []kafkatest.Name{kafkatest.NameDuplicate, kafkatest.NameOutOfOrder, kafkatest.NameNonMonotonicPoll}
	mustName(t, kafkatest.Check(begin().event(member).ran(a, 0, 1).ran(a, 0, 1, 2).History, any), want...)
	// What the old owner was allowed, the new one is not.
	s := begin().event(member).killed("a").assigned("b", 1, 0).ran(b, 0, 1).ran(b, 0, 1, 2)
	mustName(t, kafkatest.Check(s.History, any), want...)
}

func TestCheckGivesAnOldOwnersFailureToNobodyElse(t *testing.T) {
	a, b := who{"a", 1, 0}, who{"b", 1, 0}
	s := tell().produced(0, 3).assigned("a", 1, 0).start(a, 0).killed("a").assigned("b", 1, 0).ran(b, 0, 1)
	s.end(a, 0, kafkatest.OutcomeFailed).ran(b, 1, 2)
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{}),
		kafkatest.NameDuplicate, kafkatest.NameOutOfOrder, kafkatest.NameNonMonotonicPoll)
}

func TestCheckRefusesARewindBelowTheCommit(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 3).assigned("a", 1, 0).ran(a, 0, 1).committed(0, 2).failed(0, 0).ran(a, 0, 1, 2)
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{Duplicates: kafkatest.DuplicatesAny}),
		kafkatest.NameDuplicate, kafkatest.NameOutOfOrder, kafkatest.NameNonMonotonicPoll)
}

func TestCheckFindsAStallThatNothingEnds(t *testing.T) {
	a := who{"a", 1, 0}
	o := kafkatest.Options{MaxStall: 50 * time.Millisecond, Incomplete: true}
	stall := func() *story {
		s := tell().produced(0, 2).assigned("a", 1, 0).ran(a, 0).committed(0, 1)
		s.now = s.now.Add(time.Second)
		return s
	}
	revoked := stall().owner(kafkatest.KindRevoked, "a", 1, 0)
	mustName(t, kafkatest.Check(revoked.History, o), kafkatest.NameNoProgress)
	mustName(t, kafkatest.Check(stall().start(a, 1).History, o), kafkatest.NameNoProgress)
	// Nobody had the partition meanwhile.
	s := tell().produced(0, 2).assigned("a", 1, 0).ran(a, 0).owner(kafkatest.KindRevoked, "a", 1, 0)
	s.now = s.now.Add(time.Second)
	mustPass(t, s.assigned("a", 2, 0).ran(who{"a", 2, 0}, 1).History, o)
	gone := tell().produced(0, 2).assigned("a", 1, 0).ran(a, 0).owner(kafkatest.KindRevoked, "a", 1, 0)
	gone.now = gone.now.Add(time.Second)
	mustPass(t, gone.killed("x").History, o)
	// There was nothing to do meanwhile.
	idle := tell().produced(0, 1).assigned("a", 1, 0).ran(a, 0)
	idle.now = idle.now.Add(time.Second)
	idle.event(kafkatest.Event{Kind: kafkatest.KindProduced, ID: id(0, 1), Input: in(0, 1)}).ran(a, 1)
	mustPass(t, idle.History, o)
}

func TestCheckAsksForProgressOnlyOfAssignedPartitions(t *testing.T) {
	s := tell().produced(0, 1).produced(1, 1).assigned("a", 1, 0).ran(who{"a", 1, 0}, 0)
	mustPass(t, s.History, kafkatest.Options{Incomplete: true})
}

func TestCheckJudgesWhatIsBelowTheLastCommitOfAnIncompleteRun(t *testing.T) {
	a := who{"a", 1, 0}
	begin := func() *story { return tell().produced(0, 4).assigned("a", 1, 0).ran(a, 0) }
	s := begin().start(a, 1).end(a, 1, kafkatest.OutcomeOK).ran(a, 2).committed(0, 3)
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{Incomplete: true}),
		kafkatest.NameLost, kafkatest.NameCommittedPastUnsettled)
	f := begin().committed(0, 1).start(a, 1).end(a, 1, kafkatest.OutcomeCancelled)
	mustPass(t, f.History, kafkatest.Options{Filter: true, Incomplete: true})
	tail := tell().produced(0, 1).assigned("a", 1, 0).start(a, 0).end(a, 0, kafkatest.OutcomeCancelled)
	mustName(t, kafkatest.Check(tail.History, kafkatest.Options{Filter: true}), kafkatest.NameNoProgress)
}
