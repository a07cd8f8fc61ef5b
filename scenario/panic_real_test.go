package scenario_test

import (
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// A processor that panics has failed like any other: one line says where, with
// the stack, and the message (or its batch) runs again.
func TestAPanicIsOneLineWithItsStackAndAnotherRun(t *testing.T) {
	for name, start := range map[string]func(*rig.Rig, string, rig.Settings) *rig.Process{
		"message": (*rig.Rig).Worker, "batch": (*rig.Rig).BatchWorker,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			r.Fill(600)
			p := start(r, "panics", rig.Settings{"processor.panic": 61, "pause.initial": "10ms"})
			r.AwaitCommitted(time.Minute)
			stopClean(t, p)
			if runs := p.RunsOf(61); len(runs) != 2 || runs[1].Attempt != 2 {
				t.Errorf("the message ran %d times, want 2: %v", len(runs), runs)
			}
			said := lines(p, "processor panicked")
			if len(said) != 1 {
				t.Fatalf("%d lines about the panic, want 1", len(said))
			}
			contains(t, said[0].String("stack"), "misbehave", "copier.go")
			contains(t, said[0].String("panic"), "panics on purpose")
			if said[0].Int("partition") != 1 {
				t.Errorf("the line does not say where: %s", said[0].Text)
			}
			for _, l := range p.Log() {
				if l.Fields == nil {
					t.Errorf("a line that is no log line: %s", l.Text)
				}
			}
			r.Check(kafkatest.Options{})
		})
	}
}
