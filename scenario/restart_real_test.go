package scenario_test

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// B1: the members are restarted every one to three seconds, some of them by
// kill -9, while work is queued and commits go out ten times a second. A runner
// that takes its commit point from the highest offset that it has seen skips what
// was queued; one that takes it from a count of finished messages skips what
// another member had.
func TestRestartsWhileWorkQueuesSkipNothing(t *testing.T) {
	t.Parallel()
	length := scale.D(t, 20*time.Second, 2*time.Minute)
	for _, g := range someGroups(t) {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			settings := g.with(rig.Settings{"processor.work": "10ms", "commit.interval": "100ms"})
			r.Fill(scale.N(t, 6_000, 20_000))
			done := restart(t, r, settings, length)
			left, right := r.Worker("left-end", settings), r.Worker("right-end", settings)
			r.AwaitCommitted(scale.D(t, time.Minute, 5*time.Minute))
			stopAll(t, left, right)
			report := r.Check(kafkatest.Options{})
			tenures := r.CheckTenures()
			t.Logf("%+v, %d assignments, %d duplicates of at most %d", done, len(tenures), report.Duplicates, report.Bound)
			if done.kills == 0 || done.stops == 0 || done.busy < (done.kills+done.stops)/2 {
				t.Error("no kill, no stop or no work in the queue: nothing was shown")
			}
		})
	}
}

// restarts counts what was done to members; busy are those with work in the queue.
type restarts struct{ kills, stops, busy int }

// restart replaces one of two members after the other, and leaves none.
func restart(t *testing.T, r *rig.Rig, settings rig.Settings, length time.Duration) restarts {
	t.Helper()
	rnd, end, born := seeded(t), time.Now().Add(length), 0
	next := func() *rig.Process {
		born++
		return r.Worker(fmt.Sprintf("member-%d", born), settings)
	}
	members := []*rig.Process{next(), next()}
	members[0].AwaitRuns(1, time.Minute)
	load := func() { r.Fill(42) }
	var done restarts
	for i := 0; time.Now().Before(end); i++ {
		stay(time.After(between(rnd, time.Second, 3*time.Second)), nil, load)
		p := members[i%2]
		if r.Lag(0) > 0 {
			done.busy++
		}
		if dies(rnd, i) {
			p.Kill()
			done.kills++
		} else {
			stopUnderLoad(t, p, load)
			done.stops++
		}
		members[i%2] = next()
	}
	for _, p := range members {
		stopUnderLoad(t, p, load)
	}
	return done
}

// dies says whether a member is killed: each kill stops the group for a session.
func dies(rnd *rand.Rand, i int) bool { return i == 2 || rnd.IntN(6) == 0 }

func stopUnderLoad(t *testing.T, p *rig.Process, load func()) {
	t.Helper()
	// A signal that comes before main has its handler ends any process.
	p.Await("anything", 30*time.Second, func(rig.Line) bool { return true })
	p.Signal(syscall.SIGTERM)
	stay(time.After(30*time.Second), p.Done(), load)
	if code := p.Wait(time.Second); code != 0 {
		t.Errorf("exit code %d of %s, want 0", code, p.Name)
	}
}
