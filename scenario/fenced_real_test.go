package scenario_test

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/proxy"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// B16: the delivery of message 5 is not confirmed, those of 6 to 10 are, and the
// process dies. A runner that stores the offset of what was confirmed last has
// committed message 5 away, and nobody will ever see it again. Once the request is
// lost on its way (the record is in no log), once its answer (it is, and nobody
// knows).
func TestAMessageWhoseDeliveryIsOpenComesBackAfterAKill(t *testing.T) {
	for name, lose := range map[string]func(*proxy.Set, string) func(){
		"the request is lost": loseRequests, "the answer is lost": loseAnswers,
	} {
		t.Run(name, func(t *testing.T) {
			r := suite.New(t, rig.Config{Proxied: true})
			side := r.Output + "-side"
			r.Topic(side)
			defer lose(r.Proxies, side)()
			r.FillOne(10, 0)
			settings := rig.Settings{
				"processor.astray": 6, "processor.astray_topic": side, // at offset 5
				"commit.interval": "100ms", "rebalance.session_timeout": sessionTimeout,
			}
			p := r.Worker("killed", settings)
			r.AwaitOutput(10, time.Minute)
			// What is sent later is confirmed later: its commit shows that the others are
			// confirmed, and that there was a commit after it.
			r.FillOne(10, 1)
			r.AwaitCommittedAt(1, 10, time.Minute)
			if got := r.Committed(0); got != 5 {
				t.Errorf("committed %d while the delivery at 5 is open, want 5", got)
			}
			if w := p.Work(); w.Finished[0] != 10 {
				t.Errorf("the processor has finished up to %d, want 10: nothing was ahead of it", w.Finished[0])
			}
			p.Kill()
			comesBackAt(t, r, 0, 5)
		})
	}
}

// loseRequests makes the brokers miss all produce requests for a topic.
func loseRequests(proxies *proxy.Set, topic string) (off func()) {
	return proxies.OnRequest(kmsg.Produce, func(r *proxy.Request) proxy.Action {
		if producesTo(r, topic) {
			return proxy.Drop()
		}
		return proxy.Pass()
	})
}

// loseAnswers makes the producer miss the answers to them.
func loseAnswers(proxies *proxy.Set, topic string) (off func()) {
	return proxies.OnResponse(kmsg.Produce, func(r *proxy.Response) proxy.Action {
		if producesTo(r.Request, topic) {
			return proxy.Drop()
		}
		return proxy.Pass()
	})
}

// producesTo looks into a request: the client puts one partition in each.
func producesTo(r *proxy.Request, topic string) bool {
	req, err := r.Decode()
	if err != nil {
		return false
	}
	for _, t := range req.(*kmsg.ProduceRequest).Topics {
		if t.Topic == topic {
			return true
		}
	}
	return false
}

// comesBackAt starts a member without trouble and checks where it begins.
func comesBackAt(t *testing.T, r *rig.Rig, partition int32, offset int64) {
	t.Helper()
	next := r.Worker("next", rig.Settings{"rebalance.session_timeout": sessionTimeout})
	r.AwaitCommitted(time.Minute)
	stopClean(t, next)
	if at, ok := next.Work().Begun[partition]; !ok || at != offset {
		t.Errorf("the next process begins at %d (%v), want %d", at, ok, offset)
	}
	r.Check(kafkatest.Options{})
}

// B16 again, with the processor itself: it is in the middle of a message when the
// process dies, and everything else is done.
func TestAMessageThatWasBeingProcessedComesBackAfterAKill(t *testing.T) {
	t.Parallel()
	r := suite.New(t, rig.Config{})
	p := blocked(r, rig.Settings{"commit.interval": "100ms", "rebalance.session_timeout": sessionTimeout})
	p.Kill()
	comesBackAt(t, r, 1, 10)
}

// B22: a batch that fails at one of its messages is done up to there, and not any
// further: what comes after it in the same batch is run again by whoever is next.
func TestTheTailOfABatchThatFailedIsNotCommitted(t *testing.T) {
	for name, c := range map[string]struct {
		whole bool
		tail  int64
	}{
		"it failed at a message": {false, 10}, "it failed as a whole": {true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			r.FillOne(60, 1) // ids 1 to 60, all of them in one batch
			p := r.BatchWorker("fails", rig.Settings{
				"processor.poison": 11, "processor.whole": c.whole, "batch.max_wait": "2s", "batch.max_messages": 60,
				"pause.initial": "1h", "pause.max": "1h", "pause.jitter": 0,
				"commit.interval": "100ms", "rebalance.session_timeout": sessionTimeout,
			})
			p.Await("the hold", time.Minute, func(l rig.Line) bool { return held(l, 1, "retry") })
			if runs := p.Runs(); runs != 11 {
				t.Fatalf("%d messages ran, want 11: it was not one batch", runs)
			}
			// A commit of another partition shows that there was time for one.
			r.FillOne(60, 2)
			r.AwaitCommittedAt(2, 60, time.Minute)
			r.AwaitCommittedAt(1, c.tail, time.Minute)
			if got := max(r.Committed(1), 0); got != c.tail {
				t.Errorf("committed %d, want %d", got, c.tail)
			}
			p.Kill()
			comesBackAt(t, r, 1, c.tail)
		})
	}
}

// B27: a partition moves while its processor works on a message for longer than the
// drain. The context ends, and a processor that returns then has not done the
// work, also when it says nothing: a runner that takes that for a success commits
// a message which nobody has processed.
func TestAnAttemptThatAFenceCutShortIsNotSettled(t *testing.T) {
	for name, swallow := range map[string]bool{"it returns an error": false, "it returns nil": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := suite.New(t, rig.Config{})
			unblock := r.Path("unblock")
			settings := func() rig.Settings {
				return rig.Settings{
					// Range takes everything from everybody at each change.
					"rebalance.assignor": "range", "rebalance.drain": "500ms", "commit.interval": "100ms",
					"processor.swallow": swallow, "processor.unblock": unblock,
				}
			}
			p := blocked(r, settings())
			second := settings()
			second["processor.block"] = 61
			next := r.Worker("joins", second)
			gone := p.Await("the partition revoked", time.Minute, func(l rig.Line) bool {
				return l.Message == "partition revoked" && l.Int("partition") == 1
			})
			if drained, _ := gone.Fields["drained"].(bool); drained || gone.Int("position") != 10 {
				t.Errorf("want it not drained, at position 10: %s", gone.Text)
			}
			r.Until("the message runs again", time.Minute, func(context.Context) bool {
				return len(p.RunsOf(61))+len(next.RunsOf(61)) == 2
			})
			if got := r.Committed(1); got != 10 {
				t.Errorf("committed %d, want 10", got)
			}
			create(t, unblock)
			r.AwaitCommitted(time.Minute)
			stopClean(t, p, next)
			r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
		})
	}
}

// pollInterval is the shortest max.poll.interval.ms that goes with drains of half a
// second: three times 8 s and the drain.
const pollInterval = 25500 * time.Millisecond

// F10: one message takes far longer than max.poll.interval. A consumer that
// processes between two polls is expelled, the message goes to the next one, which
// is expelled too, and so on. Here the member stays and works on everything else;
// the message runs once, and is reported as slow once, with the place where it is.
func TestAProcessorThatOutlastsThePollIntervalKeepsItsPartition(t *testing.T) {
	t.Parallel()
	r := suite.New(t, rig.Config{})
	unblock := r.Path("unblock")
	p := blocked(r, rig.Settings{
		"processor.unblock": unblock, "rebalance.drain": "500ms", "watchdog.slow_after": "2s",
		"consumer": map[string]any{"max.poll.interval.ms": pollInterval.Milliseconds()},
	})
	runs := p.RunsOf(61)
	last := runs[0].At.Add(scale.D(t, pollInterval*5/4, 3*pollInterval))
	for n := int64(200); time.Now().Before(last); n += 100 { // blocked has filled 100 each
		r.Fill(600)
		for _, partition := range others {
			r.AwaitCommittedAt(partition, n, time.Minute)
		}
	}
	if got := r.Committed(1); got != 10 {
		t.Errorf("committed offset of the partition that works: %d, want 10", got)
	}
	create(t, unblock)
	r.AwaitCommitted(time.Minute)
	stopClean(t, p)
	slow := lines(p, "processor slow")
	if len(slow) != 1 {
		t.Fatalf("%d lines about the slow processor, want 1", len(slow))
	}
	contains(t, slow[0].String("stack"), "(*copier).block", "copier.go")
	if slow[0].Int("partition") != 1 || slow[0].Int("offset") != 10 || slow[0].Int("attempt") != 1 {
		t.Errorf("the line does not say where: %s", slow[0].Text)
	}
	for _, message := range []string{"partition lost", "client error", "unhealthy", "hold started"} {
		if l := lines(p, message); len(l) != 0 {
			t.Errorf("want none of these: %s", l[0].Text)
		}
	}
	if got := len(lines(p, "partition assigned")); got != 6 {
		t.Errorf("%d assignments, want 6", got)
	}
	report := r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
	if int64(report.Runs) != r.Filled() {
		t.Errorf("%d runs of %d messages", report.Runs, r.Filled())
	}
}
