package scenario_test

import (
	"errors"
	"net"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// A supervisor and a deploy script read the exit code: 1 says that the process
// could not start, and the last line says why.
func TestARunnerThatCannotStartSaysWhy(t *testing.T) {
	r := suite.New(t, rig.Config{})
	for name, c := range map[string]struct {
		settings rig.Settings
		want     string
	}{
		"nobody listens":   {rig.Settings{"brokers": []string{unused(t)}}, "start_timeout"},
		"the topic absent": {rig.Settings{"topics": []string{r.Input + "-absent"}}, r.Input + "-absent"},
	} {
		t.Run(name, func(t *testing.T) {
			c.settings["start_timeout"] = "3s"
			c.settings["processor.log"] = map[string]any{}
			suite.Binary(t, "cmd/runner", false) // its build is not part of the time
			began := time.Now()
			p := r.Stock(strings.ReplaceAll(name, " ", "-"), c.settings)
			if code := p.Wait(12 * time.Second); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			if took := time.Since(began); took < 2*time.Second || took > 5*time.Second {
				t.Errorf("it gave up after %v, start_timeout is 3s", took)
			}
			p.Await("unhealthy", time.Second, func(l rig.Line) bool { return l.Message == "unhealthy" })
			if text := p.Await("the end", time.Second, ended).String("error"); !strings.Contains(text, c.want) {
				t.Errorf("the last line does not name %s: %s", c.want, text)
			}
		})
	}
}

// unused returns an address of this machine where nothing listens.
func unused(t *testing.T) string {
	t.Helper()
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A topic that is made while the runner waits for it is no failure: the order in
// which a deploy creates things does not matter.
func TestATopicThatComesLateIsWaitedFor(t *testing.T) {
	r := suite.New(t, rig.Config{})
	r.Fill(60)
	settings := rig.Settings{"topics": []string{r.Input, r.Input + "-late"}, "rebalance.session_timeout": sessionTimeout}
	p := r.Worker("waits", settings)
	p.Await("unhealthy", 20*time.Second, func(l rig.Line) bool { return l.Message == "unhealthy" })
	r.Topic(r.Input + "-late")
	p.Await("healthy", 20*time.Second, func(l rig.Line) bool { return l.Message == "healthy" })
	r.AwaitCommitted(time.Minute)
	p.Signal(syscall.SIGTERM)
	if code := p.Wait(30 * time.Second); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
}

// Exit code 2 is a mistake of whoever wrote the command or the file: a restart
// does not help.
func TestAMistakeOfTheUserIsExitCodeTwo(t *testing.T) {
	r := suite.New(t, rig.Config{})
	p := r.Stock("unknown-key", rig.Settings{"grup": "x"})
	if code := p.Wait(10 * time.Second); code != 2 {
		t.Errorf("exit code %d for an unknown key, want 2", code)
	}
	p.Await("the nearest key", time.Second, func(l rig.Line) bool {
		return strings.Contains(l.Text, "grup") && strings.Contains(l.Text, "group")
	})
	out, err := exec.CommandContext(t.Context(), suite.Binary(t, "cmd/runner", false), "run", "--grup", "x").CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("an unknown flag: %v, want exit code 2: %s", err, out)
	}
	if !strings.Contains(string(out), "grup") || strings.Contains(string(out), "goroutine") {
		t.Errorf("an unknown flag is reported as: %s", out)
	}
}

// A processor that asks for the end, or a message that used up its attempts
// under on_exhausted: stop, ends the whole runner with code 1. Whoever starts it
// again sees that message first: nothing was committed past it, though other
// partitions went on.
func TestAStopByTheProcessorCommitsNothingPastIt(t *testing.T) {
	for name, settings := range map[string]rig.Settings{
		"stop returned":      {"processor.halt": 61},
		"attempts exhausted": {"processor.poison": 61, "pause.max_attempts": 3, "pause.initial": "10ms", "pause.on_exhausted": "stop"},
		"permanent":          {"processor.permanent": 61, "pause.on_exhausted": "stop"},
	} {
		t.Run(name, func(t *testing.T) {
			r := suite.New(t, rig.Config{})
			r.Fill(600)
			p := r.Worker("stops", settings)
			if code := p.Wait(40 * time.Second); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			text := p.Await("the end", time.Second, ended).String("error")
			if !strings.Contains(text, r.Input+" partition 1") {
				t.Errorf("the last line does not name the partition: %s", text)
			}
			w := p.Work()
			if w.Finished[1] != 10 || r.Committed(1) != 10 {
				t.Errorf("finished %d, committed %d, want both 10", w.Finished[1], r.Committed(1))
			}
			for partition, finished := range w.Finished {
				if got := r.Committed(partition); got != finished {
					t.Errorf("partition %d: finished %d, committed %d", partition, finished, got)
				}
			}
			goesOn(t, r)
		})
	}
}
