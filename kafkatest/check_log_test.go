package kafkatest_test

import (
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
)

func commitEvent(offset, log int64, at time.Time) kafkatest.Event {
	return kafkatest.Event{Kind: kafkatest.KindCommitted, Group: "g", Input: in(0, offset), LogPosition: log, At: at}
}

func TestCheckAllowsForTheClocks(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 1).assigned("a", 1, 0).start(a, 0)
	early := s.now // the broker's time of a commit that came after the end
	s.end(a, 0, kafkatest.OutcomeOK).output(0, 0)
	s.Add(commitEvent(1, 1, early))
	mustPass(t, s.History, kafkatest.Options{})
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{Slack: time.Nanosecond}), kafkatest.NameCommittedPastUnsettled)
}

func TestCheckTakesCommitsWithoutATime(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 2).assigned("a", 1, 0).ran(a, 0)
	s.Add(commitEvent(1, 1, time.Time{}))
	mustPass(t, s.History, kafkatest.Options{Incomplete: true})
	s.Add(commitEvent(2, 2, time.Time{}))
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{Incomplete: true}),
		kafkatest.NameLost, kafkatest.NameCommittedPastUnsettled)
}

func TestCheckReadsCommitsInTheOrderOfTheirLog(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 3).assigned("a", 1, 0).ran(a, 0, 1, 2)
	s.Add(commitEvent(3, 9, s.tick()))
	s.Add(commitEvent(3, 8, s.tick())) // again: not back
	s.Add(commitEvent(1, 2, s.tick()))
	mustPass(t, s.History, kafkatest.Options{})
}

func TestCheckJudgesOneGroupOfSeveral(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 3).assigned("a", 1, 0).ran(a, 0, 1, 2).committed(0, 3)
	other := commitEvent(1, 99, s.tick())
	other.Group = "other"
	s.Add(other)
	mustPass(t, s.History, kafkatest.Options{Group: "g"})
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{}), kafkatest.NameOffsetBack)
}

func outputEvent(offset int64, at kafkatest.Position) kafkatest.Event {
	return kafkatest.Event{Kind: kafkatest.KindOutput, ID: id(0, offset), Input: in(0, offset), Output: at}
}

func out(offset int64) kafkatest.Position { return kafkatest.Position{Topic: "out", Offset: offset} }

func TestCheckReadsOutputsInTheOrderOfTheirLog(t *testing.T) {
	s := tell().produced(0, 3)
	for _, o := range []int64{2, 0, 1, 1} { // noted in any order, and one twice
		s.Add(outputEvent(o, out(o)))
	}
	mustPass(t, s.History, kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
}

func TestCheckNamesTwoOutputsAtOnePosition(t *testing.T) {
	s := tell().produced(0, 2)
	s.Add(outputEvent(0, out(0)))
	s.Add(outputEvent(1, out(0)))
	s.Add(outputEvent(1, out(1)))
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{}), kafkatest.NameInconsistentOffset)

	s = tell().produced(0, 2).output(0, 0).output(0, 1).event(acked(1, 0))
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{}), kafkatest.NameInconsistentOffset)
}

func TestCheckCountsCopiesPerOutputTopic(t *testing.T) {
	a, b := who{"a", 1, 0}, who{"b", 1, 0}
	s := tell().produced(0, 1).assigned("a", 1, 0).ran(a, 0)
	s.Add(outputEvent(0, kafkatest.Position{Topic: "audit"}))
	mustPass(t, s.History, kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})

	s.killed("a").assigned("b", 1, 0).ran(b, 0)
	s.Add(outputEvent(0, kafkatest.Position{Topic: "audit", Offset: 1}))
	if r := mustPass(t, s.History, kafkatest.Options{}); r.Duplicates != 2 || r.Bound != 2 {
		t.Fatalf("duplicates %d, bound %d", r.Duplicates, r.Bound)
	}
}

func TestCheckComparesGenerationsOfOneMemberOnly(t *testing.T) {
	s := tell().produced(0, 2).outputOf(who{"a", 0, 0}, 0, 5).outputOf(who{"b", 0, 0}, 1, 1)
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{}))
}

func TestCheckTakesInputsThatWereNotNotedAsProduced(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().assigned("a", 1, 0).ran(a, 0, 1, 2).committed(0, 3)
	if r := mustPass(t, s.History, kafkatest.Options{}); r.Inputs != 3 {
		t.Fatalf("%d inputs", r.Inputs)
	}
	s = tell().assigned("a", 1, 0).ran(a, 0).start(a, 2).end(a, 2, kafkatest.OutcomeCancelled).start(a, 1).committed(0, 3)
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{}), kafkatest.NameSkippedByPoll, kafkatest.NameOutOfOrder,
		kafkatest.NameNonMonotonicPoll, kafkatest.NameCommittedPastUnsettled)
}

func TestCheckTakesTheInputInAnyOrder(t *testing.T) {
	s := tell()
	for _, o := range []int64{2, 0, 5, 1} { // with a gap, as transactions leave
		s.event(kafkatest.Event{Kind: kafkatest.KindProduced, ID: id(0, o), Input: in(0, o)})
	}
	s.assigned("a", 1, 0).ran(who{"a", 1, 0}, 0, 1, 2, 5).committed(0, 6)
	mustPass(t, s.History, kafkatest.Options{})
}

func TestCheckNamesTwoIDsAtOneInputPosition(t *testing.T) {
	s := tell().produced(0, 1).event(kafkatest.Event{Kind: kafkatest.KindProduced, ID: 5, Input: in(0, 0)}).output(0, 0)
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{}), kafkatest.NameInconsistentOffset)
}

func TestCheckCountsOutputsOfUnknownInputs(t *testing.T) {
	s := tell().produced(0, 1).output(0, 0)
	s.Add(kafkatest.Event{Kind: kafkatest.KindOutput, ID: 42, Input: kafkatest.Position{Offset: kafkatest.Unknown}, Output: out(1)})
	if r := mustPass(t, s.History, kafkatest.Options{}); r.UnknownOutputs != 1 {
		t.Fatalf("%d unknown outputs", r.UnknownOutputs)
	}
}
