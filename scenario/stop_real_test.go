package scenario_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// F23: a deploy in the middle of the work, three times. What was fetched and not
// processed must not be committed (it would never be seen again), and what was
// processed must be (it would come twice): each start goes on at the message
// after the last one that ended, on every partition.
func TestAStopUnderLoadIsContinuedExactly(t *testing.T) {
	r := suite.New(t, rig.Config{})
	settings := rig.Settings{"processor.work": "1ms"}
	load := scale.N(t, 12_000, 200_000)
	r.Fill(load)
	var before rig.Work
	for stop := range 4 {
		p := r.Worker(fmt.Sprintf("stop-%d", stop), settings)
		if stop < 3 {
			p.AwaitRuns(load/5, 2*time.Minute)
		} else {
			r.AwaitCommitted(10 * time.Minute)
		}
		p.Signal(syscall.SIGTERM)
		if code := p.Wait(30 * time.Second); code != 0 {
			t.Fatalf("stop %d: exit code %d, want 0", stop+1, code)
		}
		w := p.Work()
		continuesExactly(t, r, before, w)
		if stop < 3 && r.Lag(0) == 0 {
			t.Errorf("stop %d: nothing was left to do, so it was not under load", stop+1)
		}
		before = w
	}
	r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
}

// continuesExactly compares where one process ended, what is committed and where
// the next one began.
func continuesExactly(t *testing.T, r *rig.Rig, before, w rig.Work) {
	t.Helper()
	for p, finished := range w.Finished {
		if got := r.Committed(p); got != finished {
			t.Errorf("partition %d: committed %d, finished up to %d", p, got, finished)
		}
		if at, ok := before.Finished[p]; ok && w.Begun[p] != at {
			t.Errorf("partition %d: it begins at %d, the last process had finished up to %d", p, w.Begun[p], at)
		}
	}
}

// A rolling restart: one of two members is stopped and started again while the
// other works on and new messages come in. Partitions move in order, at each
// start and at each stop: nobody sees a message twice.
func TestARollingRestartDoublesNothing(t *testing.T) {
	r := suite.New(t, rig.Config{})
	settings := rig.Settings{"processor.work": "1ms"}
	stays := r.Worker("stays", settings)
	awaitRunsUnderLoad(r, stays, 1)
	for round := range scale.N(t, 2, 10) {
		moves := r.Worker(fmt.Sprintf("moves-%d", round), settings)
		awaitRunsUnderLoad(r, moves, 500)
		moves.Signal(syscall.SIGTERM)
		if code := moves.Wait(30 * time.Second); code != 0 {
			t.Fatalf("round %d: exit code %d, want 0", round+1, code)
		}
		if r.Lag(0) == 0 {
			t.Errorf("round %d: nothing was left to do, so it was not under load", round+1)
		}
	}
	r.AwaitCommitted(time.Minute)
	stays.Signal(syscall.SIGTERM)
	if code := stays.Wait(30 * time.Second); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
}

// awaitRunsUnderLoad writes messages until a process has started n runs.
func awaitRunsUnderLoad(r *rig.Rig, p *rig.Process, n int) {
	r.Until(fmt.Sprintf("%d runs of %s", n, p.Name), time.Minute, func(context.Context) bool {
		r.Fill(900) //nolint:contextcheck // it has the test's
		return p.Runs() >= n
	})
}
