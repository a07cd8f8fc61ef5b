package scenario_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// sessionTimeout is the shortest that a broker takes: until it is over, the
// group waits for a member that was killed.
const sessionTimeout = "6s"

// Of two members one is killed three times in the middle of its work and started
// again. A runner that commits what it has only read loses messages here; one
// that commits late, or after it was expelled, throws the group back. Both look
// the same from outside: a hole, or a flood of old messages, after a node died.
func TestMembersThatAreKilledUnderLoadLoseNothing(t *testing.T) {
	r := suite.New(t, rig.Config{})
	settings := rig.Settings{"processor.work": "1ms", "rebalance.session_timeout": sessionTimeout}
	load := scale.N(t, 3_000, 60_000)
	r.Fill(load)
	members := []*rig.Process{r.Worker("left-0", settings), r.Worker("right-0", settings)}
	for _, p := range members {
		awaitRunsUnderLoad(r, p, 1)
	}
	for kill, victim := range []int{0, 1, 0} {
		p := members[victim]
		begun := p.Runs()
		r.Fill(load)
		awaitRunsUnderLoad(r, p, begun+load/10)
		p.Kill()
		if open := openRuns(p); open == 0 {
			t.Errorf("kill %d: the member was idle", kill+1)
		}
		members[victim] = r.Worker(fmt.Sprintf("%s-%d", []string{"left", "right"}[victim], kill+1), settings)
		awaitRunsUnderLoad(r, members[victim], 1)
	}
	r.AwaitCommitted(scale.D(t, time.Minute, 10*time.Minute))
	for _, p := range members {
		p.Signal(syscall.SIGTERM)
	}
	for _, p := range members {
		if code := p.Wait(30 * time.Second); code != 0 {
			t.Errorf("exit code %d of %s, want 0", code, p.Name)
		}
	}
	report := r.Check(kafkatest.Options{})
	t.Logf("duplicates %d, bound %d", report.Duplicates, report.Bound)
}

// F25: a process dies in the middle of its batches. What the batch has sent by
// then is sent again, what it had not reached is not forgotten.
func TestAMemberThatIsKilledMidBatchLosesNothing(t *testing.T) {
	r := suite.New(t, rig.Config{})
	settings := rig.Settings{
		"processor.work": "2ms", "rebalance.session_timeout": sessionTimeout,
		"batch.max_messages": 100, "batch.max_wait": "20ms",
	}
	load := scale.N(t, 6_000, 60_000)
	r.Fill(load)
	for kill := range 3 {
		p := r.BatchWorker(fmt.Sprintf("batch-%d", kill), settings)
		p.AwaitRuns(load/6, time.Minute)
		p.Kill()
		if open := openRuns(p); open < 2 {
			t.Errorf("kill %d: %d messages in open batches, want some", kill+1, open)
		}
	}
	p := r.BatchWorker("batch-3", settings)
	r.AwaitCommitted(scale.D(t, time.Minute, 5*time.Minute))
	p.Signal(syscall.SIGTERM)
	if code := p.Wait(30 * time.Second); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	report := r.Check(kafkatest.Options{})
	t.Logf("duplicates %d, bound %d", report.Duplicates, report.Bound)
	if report.Duplicates == 0 {
		t.Error("no duplicates: no batch was cut")
	}
}

// openRuns counts the messages that a process has begun and not ended.
func openRuns(p *rig.Process) int {
	n := 0
	for _, open := range p.Work().Open {
		n += open
	}
	return n
}
