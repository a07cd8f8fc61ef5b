package main

import (
	"slices"
	"strings"
	"testing"
)

func TestARatioIsTheMedianOfTheRatiosOfRounds(t *testing.T) {
	// A machine that gets slower by ten from round to round: the medians alone
	// would say something else.
	base := []result{{Seconds: 1}, {Seconds: 10}, {Seconds: 100}}
	half := []result{{Seconds: 2}, {Seconds: 20}, {Seconds: 1000}}
	if got := ratio(half, base, func(r result) float64 { return 1 / r.Seconds }); got != "0.50" {
		t.Errorf("ratio %s, want 0.50", got)
	}
}

func TestVerdictsOfAllRoundsAreShown(t *testing.T) {
	rs := []result{{Verdict: "lost 0"}, {Verdict: "lost 1"}, {Verdict: "lost 0"}}
	if got := verdicts(rs); got != "lost 0; lost 1" {
		t.Errorf("verdicts %q", got)
	}
}

func TestTheReferenceIsMeasuredWithWhatWasAskedFor(t *testing.T) {
	tab := table{loops: noopLoops(), reference: barePoll}
	if got := tab.wanted("batches"); !slices.Equal(got, []string{barePoll, queueBatch}) {
		t.Errorf("loops %q", got)
	}
	if got := tab.wanted("forward"); got != nil {
		t.Errorf("loops %q of a table that has none of these", got)
	}
	if got := tab.wanted(""); !slices.Equal(got, tab.loops) {
		t.Errorf("loops %q, want all", got)
	}
}

// What a loop loses or reorders shows in its verdict.
func TestAMeterJudgesWhatItWasGiven(t *testing.T) {
	for want, offsets := range map[string][]int64{
		"lost 0, out of order 0, duplicates 0": {0, 1, 2},
		"lost 0, out of order 0, duplicates 1": {0, 1, 1, 2},
		"lost 0, out of order 1, duplicates 0": {0, 2, 1},
		"lost 1, out of order 0, duplicates 1": {0, 0, 2},
	} {
		m := newMeter(task{Partitions: 1, Messages: 3})
		for _, o := range offsets {
			m.parts[0].note(m.id(0, o))
		}
		if got := m.result().Verdict; !strings.HasPrefix(got, want) {
			t.Errorf("offsets %d: %s, want %s", offsets, got, want)
		}
	}
}
