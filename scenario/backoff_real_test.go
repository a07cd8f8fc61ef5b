package scenario_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// backOff is how long a failed message waits: longer than a partition's way to
// another member and back.
const backOff = 25 * time.Second

// B9: the group changes in the middle of a back-off. Two things go wrong
// elsewhere: what was read and waits is thrown away when the client takes the
// pause off (a hole), or the pause outlives its assignment (a partition that
// never goes on). Here each of six partitions waits at its tenth message. Those
// that go to the second member, and those that come back, go on at that message
// at once; those that stay wait on, and have lost nothing.
func TestABackOffEndsWithItsAssignment(t *testing.T) {
	t.Parallel()
	for _, g := range someGroups(t) {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			mended := r.Path("mended")
			settings := g.with(rig.Settings{
				"processor.poison": 61, "processor.poison_to": 66, "processor.mended": mended,
				"pause.initial": backOff.String(), "pause.max": backOff.String(), "pause.jitter": 0,
			})
			r.Fill(1200)
			first := r.Worker("first", settings)
			awaitHolds(r, first, 6)
			second := r.Worker("second", settings)
			awaitHolds(r, second, 2) // they fail there too: the count starts again
			if err := os.WriteFile(mended, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			stopAll(t, second)
			r.AwaitAssigned(first, 6)
			r.Until("what came back goes on", 20*time.Second, func(context.Context) bool { return wentOn(first) })
			r.AwaitCommitted(backOff + 20*time.Second)
			stopAll(t, first)
			report := r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
			if report.Runs <= int(r.Filled())+6 {
				t.Errorf("%d runs of %d messages: the second member has not failed", report.Runs, r.Filled())
			}
			startsAtTheFailure(t, r.CheckTenures())
			staysOnHold(t, first)
		})
	}
}

// awaitHolds waits until at least n partitions of a process wait for a retry.
func awaitHolds(r *rig.Rig, p *rig.Process, n int) {
	r.Until(p.Name+" waits", time.Minute, func(context.Context) bool {
		held := map[int64]bool{}
		for _, l := range p.Log() {
			if l.Message == "hold started" && l.String("reason") == "retry" {
				held[l.Int("partition")] = true
			}
		}
		return len(held) >= n
	})
}

// wentOn tells whether every partition that was assigned again has run messages
// since.
func wentOn(p *rig.Process) bool {
	again := map[int64]bool{}
	for _, l := range p.Log() {
		if l.Message == "partition assigned" && l.Int("assignment_epoch") > 1 {
			again[l.Int("partition")] = true
		}
	}
	for _, x := range p.Tenures() {
		if x.Epoch > 1 && x.Over.IsZero() && x.Runs > 1 {
			delete(again, int64(x.Partition.Partition))
		}
	}
	return len(again) == 0
}

// startsAtTheFailure checks where, and how soon, later assignments began.
func startsAtTheFailure(t *testing.T, all []rig.Tenure) {
	t.Helper()
	for _, x := range all {
		if x.Epoch == 1 && x.Process == "first" || x.Runs == 0 {
			continue
		}
		if x.FirstOffset != 10 {
			t.Errorf("%s began %v at %d, want 10", x.Process, x.Partition, x.FirstOffset)
		}
		if took := x.First.Sub(x.Assigned); took > 5*time.Second {
			t.Errorf("%s has %v and starts it %v later: an old hold is on it", x.Process, x.Partition, took)
		}
	}
}

// staysOnHold checks that a partition that was not taken away waited for the whole
// of its back-off, whatever the group did.
func staysOnHold(t *testing.T, first *rig.Process) {
	t.Helper()
	kept := map[int32]bool{}
	for _, x := range first.Tenures() {
		kept[x.Partition.Partition] = x.Epoch == 1
	}
	for id := int64(61); id <= 66; id++ {
		runs := first.RunsOf(id)
		if !kept[int32(id%6)] {
			continue
		}
		if len(runs) != 2 {
			t.Errorf("message %d ran %d times on its member, want 2", id, len(runs))
			continue
		}
		if waited := runs[1].At.Sub(runs[0].At); waited < backOff || waited > backOff+5*time.Second {
			t.Errorf("message %d waited %v, its back-off is %v", id, waited, backOff)
		}
	}
}
