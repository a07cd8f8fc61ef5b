package scenario_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// The main job: a member copies everything, stops at a signal with nothing left
// to do, and nothing is there twice.
func TestAMemberCopiesEverythingAndStopsClean(t *testing.T) {
	r := suite.New(t, rig.Config{})
	n := scale.N(t, 20_000, 200_000)
	r.Fill(n)
	p := r.Worker("a", nil)
	r.AwaitCommitted(2 * time.Minute)
	p.Signal(syscall.SIGTERM)
	if code := p.Wait(30 * time.Second); code != 0 {
		t.Fatalf("exit code %d, want 0", code)
	}
	r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
}
