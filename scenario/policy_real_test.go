package scenario_test

import (
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// An operator who would rather lose one message than wait for it says so. It runs
// as often as was asked for, it is named when it is given up, and nothing else is
// given up with it.
func TestASkipGivesUpOneMessageAndSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		batch    bool
		settings rig.Settings
		runs     int
		cause    string
	}{
		"after max attempts": {false, rig.Settings{"processor.poison": 61, "pause.max_attempts": 3}, 3, "poison"},
		"permanent at once":  {false, rig.Settings{"processor.permanent": 61}, 1, "fails for good"},
		// As a batch, then alone.
		"permanent in a batch that names it": {true, rig.Settings{"processor.permanent": 61}, 1, "fails for good"},
		"permanent in a batch that does not": {true, rig.Settings{"processor.permanent": 61, "processor.whole": true}, 2, "fails for good"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			r.Fill(600)
			start := r.Worker
			if c.batch {
				start = r.BatchWorker
			}
			c.settings["pause.initial"], c.settings["pause.on_exhausted"] = "10ms", "skip"
			p := start("skips", c.settings)
			r.AwaitCommitted(time.Minute)
			stopClean(t, p)
			if runs := p.RunsOf(61); len(runs) != c.runs {
				t.Errorf("the message ran %d times, want %d", len(runs), c.runs)
			}
			onlySkipped(t, p, c.cause)
			r.Check(kafkatest.Options{})
			if n := r.OutputCount(t.Context()); n < 599 {
				t.Errorf("%d outputs, want those of 599 messages", n)
			}
		})
	}
}

// onlySkipped checks that message 61, at offset 10 of partition 1, is the one that
// was given up, and that the log says why.
func onlySkipped(t *testing.T, p *rig.Process, cause ...string) {
	t.Helper()
	skipped := lines(p, "unit skipped")
	if len(skipped) != 1 {
		t.Fatalf("%d lines about skipped units, want 1: %v", len(skipped), skipped)
	}
	l := skipped[0]
	if l.Int("partition") != 1 || l.Int("offset") != 10 || l.Int("messages") != 1 {
		t.Errorf("not the message that failed: %s", l.Text)
	}
	contains(t, l.String("error"), cause...)
}

// The default: what failed for good waits for a person. The partition stands still
// and says so once, loudly; the message is not tried again; the others go on. A
// new owner of the partition starts afresh, with a first attempt.
func TestAPausedPartitionWaitsUntilItsAssignmentEnds(t *testing.T) {
	for name, c := range map[string]struct {
		settings rig.Settings
		runs     int
	}{
		"after max attempts": {rig.Settings{"processor.poison": 61, "pause.max_attempts": 3, "pause.initial": "10ms"}, 3},
		"permanent":          {rig.Settings{"processor.permanent": 61}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			p := pausedAt61(t, r, c.settings)
			if runs := p.RunsOf(61); len(runs) != c.runs {
				t.Errorf("the message ran %d times, want %d", len(runs), c.runs)
			}
			stopClean(t, p)
			next := r.Worker("restarted", nil)
			r.AwaitCommitted(time.Minute)
			stopClean(t, next)
			startsAfresh(t, next)
			r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
		})
	}
}

// A partition that waits for a person does not wait in its new owner: whoever is
// added to the group, and was repaired, takes it over and works.
func TestAPausedPartitionGoesOnInItsNewOwner(t *testing.T) {
	r := suite.New(t, rig.Config{})
	p := pausedAt61(t, r, rig.Settings{"processor.permanent": 61, "rebalance.assignor": "range"})
	// Whichever of the two gets the partition first, the new one has it when the old
	// one has left.
	next := r.Worker("added", rig.Settings{"rebalance.assignor": "range"})
	next.AwaitMessage("partition assigned", time.Minute)
	stopClean(t, p)
	r.AwaitCommitted(time.Minute)
	stopClean(t, next)
	startsAfresh(t, next)
	r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
}

// pausedAt61 starts a member that gives message 61 up, and waits until everything
// else that can be done is committed.
func pausedAt61(t *testing.T, r *rig.Rig, settings rig.Settings) *rig.Process {
	t.Helper()
	r.Fill(600)
	p := r.Worker("pauses", settings)
	p.Await("the pause", time.Minute, func(l rig.Line) bool { return held(l, 1, "paused") })
	r.Fill(600)
	for _, partition := range others {
		r.AwaitCommittedAt(partition, 200, time.Minute)
	}
	if got := r.Committed(1); got != 10 {
		t.Errorf("committed offset of the paused partition: %d, want 10", got)
	}
	pauses := holdsOf(p, 1, "paused")
	if len(pauses) != 1 {
		t.Fatalf("%d lines about the pause, want 1", len(pauses))
	}
	l := pauses[0]
	if l.String("level") != "error" || l.Int("offset") != 10 || l.String("error") == "" || l.String("until") != "" {
		t.Errorf("the pause is said as %s", l.Text)
	}
	return p
}

// startsAfresh checks the first run of the message that its last owner gave up.
func startsAfresh(t *testing.T, p *rig.Process) {
	t.Helper()
	if at := p.Work().Begun[1]; at != 10 {
		t.Errorf("partition 1 begins at %d, want 10", at)
	}
	if runs := p.RunsOf(61); len(runs) != 1 || runs[0].Attempt != 1 {
		t.Errorf("runs of the message that was given up: %v, want one, attempt 1", runs)
	}
}
