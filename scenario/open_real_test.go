package scenario_test

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/proxy"
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
