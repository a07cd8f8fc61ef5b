package kafkatest_test

import (
	"testing"

	"github.com/pitlane-go/pitlane/kafkatest"
)

func TestCheckAcceptsAPlainRun(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 6).assigned("a", 1, 0).ran(a, 0, 1, 2).committed(0, 3).ran(a, 3, 4, 5).committed(0, 6)
	r := mustPass(t, s.History, kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
	if got := r.String(); got != "lost=0 out_of_order=0 duplicates=0" {
		t.Fatalf("report %q", got)
	}
	if r.Inputs != 6 || r.Runs != 6 || r.Outputs != 6 || r.Commits != 2 {
		t.Fatalf("counts %+v", r)
	}
}

func TestCheckAcceptsARetryOfAFailedUnit(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 3).assigned("a", 1, 0).ran(a, 0)
	s.start(a, 1).end(a, 1, kafkatest.OutcomeFailed).start(a, 1).end(a, 1, kafkatest.OutcomeFailed)
	s.ran(a, 1, 2).committed(0, 3)
	mustPass(t, s.History, kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
}

func TestCheckAcceptsARewindAfterAFailedDelivery(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 6).assigned("a", 1, 0).ran(a, 0, 1).committed(0, 2)
	s.start(a, 2).end(a, 2, kafkatest.OutcomeOK) // its record was refused
	s.ran(a, 3, 4).failed(0, 2).ran(a, 2, 3, 4, 5).committed(0, 6)
	r := mustPass(t, s.History, kafkatest.Options{})
	if r.Duplicates != 2 || r.Bound != 3 {
		t.Fatalf("duplicates %d bound %d, want 2 and 3", r.Duplicates, r.Bound)
	}
}

func TestCheckAcceptsARestartFromTheCommitAfterAKill(t *testing.T) {
	a, b := who{"a", 1, 0}, who{"b", 1, 0}
	s := tell().produced(0, 6).assigned("a", 1, 0).ran(a, 0, 1).committed(0, 2).ran(a, 2, 3).start(a, 4).killed("a")
	s.assigned("b", 1, 0).ran(b, 2, 3, 4, 5).committed(0, 6)
	r := mustPass(t, s.History, kafkatest.Options{})
	if r.Duplicates != 2 || r.Bound != 3 {
		t.Fatalf("duplicates %d bound %d, want 2 and 3", r.Duplicates, r.Bound)
	}
}

func TestCheckAcceptsABatchAsOneRun(t *testing.T) {
	s := tell().produced(0, 3).assigned("a", 1, 0)
	for _, kind := range []kafkatest.Kind{kafkatest.KindStart, kafkatest.KindEnd} {
		for o := range int64(3) {
			s.event(kafkatest.Event{Kind: kind, Member: "a", Epoch: 1, Input: in(0, o), Unit: 7, Outcome: kafkatest.OutcomeOK})
		}
	}
	s.output(0, 0).output(0, 1).output(0, 2).committed(0, 3)
	mustPass(t, s.History, kafkatest.Options{})
}

func TestCheckAcceptsKeysThatRunSideBySide(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 4).assigned("a", 1, 0)
	s.start(a, 0).start(a, 1).end(a, 1, kafkatest.OutcomeOK).output(0, 1).ran(a, 3)
	s.end(a, 0, kafkatest.OutcomeOK).output(0, 0).ran(a, 2).committed(0, 4)
	mustPass(t, s.History, kafkatest.Options{Ordering: kafkatest.ByKey})
	mustPass(t, s.History, kafkatest.Options{Ordering: kafkatest.Unordered})
	if kafkatest.Check(s.History, kafkatest.Options{}).Err() == nil {
		t.Fatal("the same run was accepted as ordered by partition")
	}
}

func TestCheckAcceptsAFilterAndADecidedSkip(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 3).assigned("a", 1, 0).ran(a, 0)
	s.start(a, 1).end(a, 1, kafkatest.OutcomeSkipped)
	mustPass(t, s.ran(a, 2).committed(0, 3).History, kafkatest.Options{})

	f := tell().produced(0, 3).assigned("a", 1, 0).ran(a, 0).start(a, 1).end(a, 1, kafkatest.OutcomeOK).ran(a, 2).committed(0, 3)
	mustPass(t, f.History, kafkatest.Options{Filter: true})
	mustName(t, kafkatest.Check(f.History, kafkatest.Options{}), kafkatest.NameLost, kafkatest.NameCommittedPastUnsettled)
}

func TestCheckAcceptsASkipByPolicy(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 3).assigned("a", 1, 0).ran(a, 0).start(a, 1).end(a, 1, kafkatest.OutcomeFailed)
	s.event(kafkatest.Event{Kind: kafkatest.KindSkipped, Member: "a", Input: in(0, 1), Reason: "max attempts"})
	mustPass(t, s.ran(a, 2).committed(0, 3).History, kafkatest.Options{})
}

func TestCheckAcceptsARunThatWasStoppedEarly(t *testing.T) {
	a := who{"a", 1, 0}
	s := tell().produced(0, 6).assigned("a", 1, 0).ran(a, 0, 1).committed(0, 2)
	mustPass(t, s.History, kafkatest.Options{Incomplete: true})
	mustName(t, kafkatest.Check(s.History, kafkatest.Options{}), kafkatest.NameLost, kafkatest.NameUnseen)
}

func TestCheckJudgesOutputsAlone(t *testing.T) {
	s := tell().produced(0, 3).output(0, 0).output(0, 1).output(0, 2).committed(0, 3)
	mustPass(t, s.History, kafkatest.Options{})
	bad := tell().produced(0, 3).output(0, 0).output(0, 2).committed(0, 3)
	mustName(t, kafkatest.Check(bad.History, kafkatest.Options{}), kafkatest.NameLost, kafkatest.NameCommittedPastUnsettled)
}
