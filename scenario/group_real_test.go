package scenario_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// group is one way to be in a group and to get messages.
type group struct {
	name     string
	settings rig.Settings
}

// groups are all ways: both feeds with range, cooperative-sticky and KIP-848.
func groups() []group {
	var all []group
	for _, feed := range []string{"queue", "poll"} {
		for _, protocol := range []string{"range", "cooperative-sticky", "consumer"} {
			s := rig.Settings{"feed": feed}
			if protocol == "consumer" {
				s["rebalance.protocol"] = protocol
			} else {
				s["rebalance.assignor"] = protocol
				s["rebalance.session_timeout"] = sessionTimeout
			}
			all = append(all, group{feed + "/" + protocol, s})
		}
	}
	return all
}

// someGroups are all ways at full scale, else three that have every feed and
// every protocol among them.
func someGroups(t *testing.T) []group {
	t.Helper()
	all := groups()
	if scale.IsFull(t) {
		return all
	}
	return []group{all[1], all[3], all[2]}
}

// with returns the settings with more.
func (g group) with(more rig.Settings) rig.Settings {
	s := maps.Clone(g.settings)
	maps.Copy(s, more)
	return s
}

// seeded returns a source of random numbers, and logs how to have it again.
func seeded(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// between draws a duration.
func between(rnd *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(rnd.Int64N(int64(high-low)))
}

// stay waits until a time is over or a process has ended, and calls load at each
// tick meanwhile.
func stay(over <-chan time.Time, done <-chan struct{}, load func()) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			load()
		case <-over:
			return
		case <-done:
			return
		}
	}
}

// runsUnderLoad writes messages, a few at a time, until a process has started n
// runs.
func runsUnderLoad(r *rig.Rig, p *rig.Process, n int) {
	r.Until(fmt.Sprintf("%d runs of %s", n, p.Name), time.Minute, func(context.Context) bool {
		r.Fill(60) //nolint:contextcheck // it has the test's
		return p.Runs() >= n
	})
}

// stopAll ends processes in order; each must say that nothing was left.
func stopAll(t *testing.T, procs ...*rig.Process) {
	t.Helper()
	for _, p := range procs {
		p.Signal(syscall.SIGTERM)
	}
	for _, p := range procs {
		if code := p.Wait(30 * time.Second); code != 0 {
			t.Errorf("exit code %d of %s, want 0", code, p.Name)
		}
	}
}

// Autoscaling, or a slow rolling deploy: a third member comes every few seconds
// and leaves again while messages come in. Without drain, commit and fence in the
// right order a message is skipped, worked on by two members at once, or the
// group falls back to where it was seconds ago.
func TestAMemberComesAndGoesUnderLoad(t *testing.T) {
	t.Parallel()
	length := scale.D(t, 20*time.Second, 2*time.Minute)
	for _, g := range groups() {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			settings := g.with(rig.Settings{"processor.work": "2ms"})
			residents := []*rig.Process{r.Worker("left", settings), r.Worker("right", settings)}
			for _, p := range residents {
				runsUnderLoad(r, p, 1)
			}
			guests := comeAndGo(t, r, settings, length)
			r.AwaitCommitted(time.Minute)
			stopAll(t, residents...)
			report := r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone, MaxStall: maxStall})
			worked := 0
			for _, p := range guests {
				if p.Runs() > 0 {
					worked++
				}
			}
			tenures := r.CheckTenures()
			t.Logf("%d of %d guests worked, %d assignments, %d messages", worked, len(guests), len(tenures), report.Inputs)
			if worked == 0 {
				t.Error("no guest worked: nothing was shown")
			}
		})
	}
}

// maxStall is how long a partition may stand still in a group that changes all
// the time: a few heartbeats (KIP-848's are 5 s apart) and a drain.
const maxStall = 20 * time.Second

// comeAndGo starts and stops a member under load, again and again.
func comeAndGo(t *testing.T, r *rig.Rig, settings rig.Settings, length time.Duration) []*rig.Process {
	t.Helper()
	rnd, end := seeded(t), time.Now().Add(length)
	load := func() { r.Fill(60) }
	var guests []*rig.Process
	for time.Now().Before(end) {
		p := r.Worker(fmt.Sprintf("guest-%d", len(guests)), settings)
		guests = append(guests, p)
		stay(time.After(between(rnd, 3*time.Second, 5*time.Second)), p.Done(), load)
		p.Signal(syscall.SIGTERM)
		stay(time.After(30*time.Second), p.Done(), load)
		if code := p.Wait(time.Second); code != 0 {
			t.Errorf("exit code %d of %s, want 0", code, p.Name)
		}
	}
	return guests
}
