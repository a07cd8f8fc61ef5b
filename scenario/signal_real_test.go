package scenario_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// blocked starts a member that hangs in one message of partition 1 and has done
// and committed everything else that can be done.
func blocked(r *rig.Rig, settings rig.Settings) *rig.Process {
	const n = 600
	r.Fill(n)
	settings["processor.block"] = 61 // at offset 10 of partition 1
	p := r.Worker("blocked", settings)
	p.Await("blocked", time.Minute, func(l rig.Line) bool { return l.Text == "blocked" })
	for _, partition := range []int32{0, 2, 3, 4, 5} {
		r.AwaitCommittedAt(partition, n/6, time.Minute)
	}
	r.AwaitCommittedAt(1, 10, time.Minute)
	return p
}

// goesOn starts the member again, without its trouble, and checks that the stop
// has lost nothing.
func goesOn(t *testing.T, r *rig.Rig) {
	t.Helper()
	if got := r.Committed(1); got != 10 {
		t.Errorf("committed offset of the partition that hung: %d, want 10", got)
	}
	p := r.Worker("mended", rig.Settings{"rebalance.session_timeout": sessionTimeout})
	r.AwaitCommitted(time.Minute)
	p.Signal(syscall.SIGTERM)
	if code := p.Wait(30 * time.Second); code != 0 {
		t.Errorf("exit code %d after the restart, want 0", code)
	}
	r.Check(kafkatest.Options{})
}

func draining(l rig.Line) bool {
	return l.Message == "runner state changed" && l.String("to") == "draining"
}

// ended is the last line of a run that left work behind.
func ended(l rig.Line) bool { return l.Message == "runner ended" }

// An operator who has no patience sends the signal again: the context of what
// runs ends now, not after the drain, and the exit code says that work was left.
func TestASecondSignalCancelsRunningAttempts(t *testing.T) {
	r := suite.New(t, rig.Config{})
	p := blocked(r, rig.Settings{"rebalance.session_timeout": sessionTimeout})
	p.Signal(syscall.SIGTERM)
	p.Await("draining", 5*time.Second, draining)
	again := time.Now()
	p.Signal(syscall.SIGTERM)
	if code := p.Wait(8 * time.Second); code != 3 { // the drain alone would take 16 s
		t.Errorf("exit code %d, want 3", code)
	}
	t.Logf("left %v after the second signal", time.Since(again))
	names(t, r, p, 1)
	goesOn(t, r)
}

// The third signal leaves at once, whatever the processor does.
func TestAThirdSignalLeavesAtOnce(t *testing.T) {
	r := suite.New(t, rig.Config{})
	p := blocked(r, rig.Settings{"processor.stubborn": true, "rebalance.session_timeout": sessionTimeout})
	p.Signal(syscall.SIGTERM)
	p.Await("draining", 5*time.Second, draining)
	p.Signal(syscall.SIGTERM)
	p.Await("the context's end", 5*time.Second, func(l rig.Line) bool { return l.Text == "context ended, staying" })
	third := time.Now()
	p.Signal(syscall.SIGTERM)
	if code := p.Wait(2 * time.Second); code != 3 {
		t.Errorf("exit code %d, want 3", code)
	}
	t.Logf("left %v after the third signal", time.Since(third))
	goesOn(t, r)
}

// A processor that ignores its context cannot be stopped, but it cannot keep the
// process either: at the deadline the runner leaves, and says which partition it
// left behind.
func TestAStubbornProcessorIsLeftAtTheDeadline(t *testing.T) {
	r := suite.New(t, rig.Config{})
	p := blocked(r, rig.Settings{
		"processor.stubborn": true, "rebalance.session_timeout": sessionTimeout,
		"shutdown.drain": "2s", "shutdown.deadline": "12s",
	})
	first := time.Now()
	p.Signal(syscall.SIGTERM)
	if code := p.Wait(12 * time.Second); code != 3 {
		t.Errorf("exit code %d, want 3", code)
	}
	t.Logf("left %v after the signal", time.Since(first))
	p.Await("the context's end", time.Second, func(l rig.Line) bool { return l.Text == "context ended, staying" })
	names(t, r, p, 1)
	goesOn(t, r)
}

// names checks that the last line says which partition has work left, and no
// other.
func names(t *testing.T, r *rig.Rig, p *rig.Process, partition int) {
	t.Helper()
	text := p.Await("the end", time.Second, ended).String("error")
	for other := range 6 {
		name := fmt.Sprintf("%s/%d", r.Input, other)
		if got := strings.Contains(text, name); got != (other == partition) {
			t.Errorf("%s in the last line: %v, %s", name, got, text)
		}
	}
}
