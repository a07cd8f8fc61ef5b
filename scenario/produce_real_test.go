package scenario_test

import (
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// hugeBytes is above message.max.bytes of the client, largeBytes below it and above
// what some topics here take.
const (
	hugeBytes  = 2 << 20
	largeBytes = 300 << 10
)

// B23: one record among good ones is too large for the client. Where a failed
// handle stays behind, every later message of every partition fails with it; where
// an error that the processor does not look at is forgotten, the record is lost in
// silence. Here the message that sent it is given up, by name and with the setting
// to look at, and the traffic after it is as good as before.
func TestARecordThatTheClientRefusesHurtsOnlyItsMessage(t *testing.T) {
	for name, c := range map[string]struct {
		batch    bool
		settings rig.Settings
	}{
		"error returned":            {false, rig.Settings{}},
		"error ignored":             {false, rig.Settings{"processor.ignore": true}},
		"error returned in a batch": {true, rig.Settings{}},
		"error ignored in a batch":  {true, rig.Settings{"processor.ignore": true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			r.Fill(600)
			start := r.Worker
			if c.batch {
				start = r.BatchWorker
			}
			c.settings["processor.huge"], c.settings["processor.huge_bytes"] = 61, hugeBytes
			c.settings["pause.on_exhausted"] = "skip"
			p := start("refused", c.settings)
			r.AwaitCommitted(time.Minute)
			onlySkipped(t, p, "was not written", "message.max.bytes")
			p.Await("the error of Send", time.Second, func(l rig.Line) bool {
				return l.Text == "send: topic "+r.Output+" code 10 outcome not_sent class permanent"
			})
			before := len(troubles(p))
			r.Fill(600)
			r.AwaitCommitted(time.Minute)
			stopClean(t, p)
			if after := troubles(p); len(after) != before {
				t.Errorf("good traffic afterwards is in trouble: %s", after[before].Text)
			}
			r.Check(kafkatest.Options{})
		})
	}
}

// Without a policy that gives it up the same record holds its partition, and only
// that: nothing is committed past the message, also where its error was ignored.
func TestNothingIsCommittedPastARecordThatTheClientRefused(t *testing.T) {
	for name, ignore := range map[string]bool{"error returned": false, "error ignored": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			p := pausedAt61(t, r, rig.Settings{
				"processor.huge": 61, "processor.huge_bytes": hugeBytes, "processor.ignore": ignore,
			})
			contains(t, holdsOf(p, 1, "paused")[0].String("error"), "was not written", "message.max.bytes")
			stopClean(t, p)
			next := r.Worker("mended", nil)
			r.AwaitCommitted(time.Minute)
			stopClean(t, next)
			r.Check(kafkatest.Options{})
		})
	}
}

// A record that only the topic refuses comes back in a report, and with it the
// whole batch of records in which it travelled: nobody can tell which one is
// guilty. So all of them run again, and the good ones are delivered; the guilty one
// uses up its attempts.
func TestARecordThatTheTopicRefusesUsesUpItsAttempts(t *testing.T) {
	r := suite.New(t, rig.Config{OutputConfig: map[string]string{"max.message.bytes": "100000"}})
	r.Fill(3_000)
	p := r.Worker("refused", rig.Settings{
		"processor.huge": 61, "processor.huge_bytes": largeBytes,
		"pause.initial": "200ms", "pause.max_attempts": 5, "pause.on_exhausted": "skip",
	})
	r.AwaitCommitted(time.Minute)
	onlySkipped(t, p, "may have been written", "max.message.bytes")
	if runs := p.RunsOf(61); len(runs) != 5 || runs[4].Attempt != 5 {
		t.Errorf("the message ran %d times, want 5: %v", len(runs), runs)
	}
	before := len(troubles(p))
	r.Fill(600)
	r.AwaitCommitted(time.Minute)
	stopClean(t, p)
	if after := troubles(p); len(after) != before {
		t.Errorf("good traffic afterwards is in trouble: %s", after[before].Text)
	}
	r.Check(kafkatest.Options{})
}

// A processor that writes to a topic which nobody has made is a mistake of
// whoever set it up: its partition waits, for ever and not counted, the runner is
// unhealthy and says what to do, and when the topic is there all is well without a
// restart.
func TestAnOutputTopicThatIsNotThereIsWaitedFor(t *testing.T) {
	r := suite.New(t, rig.Config{})
	absent := r.Output + "-absent"
	p := r.Worker("waits", astray(absent, rig.Settings{"pause.max_attempts": 1, "pause.on_exhausted": "stop"}))
	r.Fill(600)
	sick := p.AwaitMessage("unhealthy", time.Minute)
	contains(t, sick.String("error"), absent, "create the topic")
	r.Fill(600)
	for _, partition := range others {
		r.AwaitCommittedAt(partition, 200, time.Minute)
	}
	p.Await("another hold", time.Minute, func(l rig.Line) bool {
		return held(l, 1, "delivery") && len(p.RunsOf(61)) >= 3
	})
	if got := r.Committed(1); got != 10 {
		t.Errorf("committed offset of the partition that waits: %d, want 10", got)
	}
	for _, l := range holdsOf(p, 1, "delivery") {
		if wait := l.At("until").Sub(l.Time); wait < 700*time.Millisecond || wait > 5*time.Second+time.Millisecond {
			t.Errorf("a back-off of %v, want about 1s to 5s", wait)
		}
	}
	r.Topic(absent)
	p.AwaitMessage("healthy", time.Minute)
	r.AwaitCommitted(time.Minute)
	stopClean(t, p)
	if runs := p.RunsOf(61); runs[len(runs)-1].Attempt != 1 {
		t.Errorf("the last attempt has number %d: what is not the message's fault was counted", runs[len(runs)-1].Attempt)
	}
	r.Check(kafkatest.Options{})
}

// If nobody makes the topic, the runner gives up after failure_grace, with an exit
// code of its own, and has committed nothing past the message.
func TestAnOutputTopicThatIsNeverMadeEndsTheRunner(t *testing.T) {
	r := suite.New(t, rig.Config{})
	absent := r.Output + "-absent"
	r.Fill(600)
	p := r.Worker("gives-up", astray(absent, rig.Settings{"failure_grace": "2s"}))
	if code := p.Wait(time.Minute); code != 4 {
		t.Errorf("exit code %d, want 4", code)
	}
	contains(t, p.Await("the end", time.Second, ended).String("error"), absent, "failure_grace", r.Input+"/1")
	goesOn(t, r)
}

// astray are the settings for a member whose message 61 sends a record to a topic
// beside its copy. The client waits only a second for the topic to become known.
func astray(topic string, settings rig.Settings) rig.Settings {
	settings["processor.astray"], settings["processor.astray_topic"] = 61, topic
	settings["producer"] = map[string]any{"topic.metadata.propagation.max.ms": 1000}
	return settings
}
