package scenario_test

import (
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// pollInterval is the shortest max.poll.interval.ms that goes with drains of half a
// second: three times 8 s and the drain.
const pollInterval = 25500 * time.Millisecond

// F10: one message takes far longer than max.poll.interval. A consumer that
// processes between two polls is expelled, the message goes to the next one, which
// is expelled too, and so on. Here the member stays and works on everything else;
// the message runs once, and is reported as slow once, with the place where it is.
func TestAProcessorThatOutlastsThePollIntervalKeepsItsPartition(t *testing.T) {
	t.Parallel()
	r := suite.New(t, rig.Config{})
	unblock := r.Path("unblock")
	p := blocked(r, rig.Settings{
		"processor.unblock": unblock, "rebalance.drain": "500ms", "watchdog.slow_after": "2s",
		"consumer": map[string]any{"max.poll.interval.ms": pollInterval.Milliseconds()},
	})
	runs := p.RunsOf(61)
	last := runs[0].At.Add(scale.D(t, pollInterval*5/4, 3*pollInterval))
	for n := int64(200); time.Now().Before(last); n += 100 { // blocked has filled 100 each
		r.Fill(600)
		for _, partition := range others {
			r.AwaitCommittedAt(partition, n, time.Minute)
		}
	}
	if got := r.Committed(1); got != 10 {
		t.Errorf("committed offset of the partition that works: %d, want 10", got)
	}
	create(t, unblock)
	r.AwaitCommitted(time.Minute)
	stopClean(t, p)
	slow := lines(p, "processor slow")
	if len(slow) != 1 {
		t.Fatalf("%d lines about the slow processor, want 1", len(slow))
	}
	contains(t, slow[0].String("stack"), "(*copier).block", "copier.go")
	if slow[0].Int("partition") != 1 || slow[0].Int("offset") != 10 || slow[0].Int("attempt") != 1 {
		t.Errorf("the line does not say where: %s", slow[0].Text)
	}
	for _, message := range []string{"partition lost", "client error", "unhealthy", "hold started"} {
		if l := lines(p, message); len(l) != 0 {
			t.Errorf("want none of these: %s", l[0].Text)
		}
	}
	if got := len(lines(p, "partition assigned")); got != 6 {
		t.Errorf("%d assignments, want 6", got)
	}
	report := r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
	if int64(report.Runs) != r.Filled() {
		t.Errorf("%d runs of %d messages", report.Runs, r.Filled())
	}
}
