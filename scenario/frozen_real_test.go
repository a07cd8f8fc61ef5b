package scenario_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// F24: a deploy while no broker answers. A client's Close waits for brokers, 45 s
// or for ever, and a supervisor then kills the process in the middle of it. The
// runner leaves inside shutdown.deadline, with the code that says that work is
// left and where; when the brokers are back nothing is lost.
func TestAStopWithFrozenBrokersEndsInsideTheDeadline(t *testing.T) {
	sizes := []int{1}
	if scale.IsFull(t) {
		sizes = append(sizes, 3)
	}
	for _, brokers := range sizes {
		t.Run(fmt.Sprintf("%d brokers", brokers), stopWhileFrozen(brokers))
	}
}

// deadline is the default of shutdown.deadline.
const deadline = 25 * time.Second

func stopWhileFrozen(brokers int) func(*testing.T) {
	return func(t *testing.T) {
		r := suite.New(t, rig.Config{Brokers: brokers})
		settings := rig.Settings{"processor.work": "1ms", "rebalance.session_timeout": sessionTimeout}
		n := scale.N(t, 20_000, 100_000)
		r.Fill(n)
		p := r.Worker("frozen", settings)
		r.AwaitCommittedAt(0, 1, time.Minute)
		if r.Lag(0) == 0 {
			t.Fatal("nothing is left to do")
		}
		if err := r.Cluster.FreezeAll(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := r.Cluster.ThawAll(); err != nil {
				t.Error(err)
			}
		})
		signal := time.Now()
		p.Signal(syscall.SIGTERM)
		code := p.Wait(deadline)
		took := time.Since(signal)
		t.Logf("left %v after the signal", took)
		if code != 3 {
			t.Errorf("exit code %d, want 3", code)
		}
		if text := p.Await("the end", time.Second, ended).String("error"); !strings.Contains(text, r.Input+"/") {
			t.Errorf("the last line does not say what was left: %s", text)
		}
		if err := r.Cluster.ThawAll(); err != nil {
			t.Fatal(err)
		}
		next := r.Worker("thawed", settings)
		r.AwaitCommitted(scale.D(t, time.Minute, 5*time.Minute))
		next.Signal(syscall.SIGTERM)
		if code := next.Wait(30 * time.Second); code != 0 {
			t.Errorf("exit code %d after the thaw, want 0", code)
		}
		r.Check(kafkatest.Options{})
	}
}
