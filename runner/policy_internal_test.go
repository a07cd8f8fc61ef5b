package runner

import (
	"errors"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

var errBoom = errors.New("boom")

func decide(t *testing.T, p Pause, f lane.Failure) (d lane.Decision, troubles int) {
	t.Helper()
	full := 1.0
	p.Jitter = &full
	pol := newPolicy(p.withDefaults(), func(lane.Failure) { troubles++ })
	pol.random = func() float64 { return 0.5 }
	return pol.Decide(f), troubles
}

func failure(err error, attempt int) lane.Failure {
	return lane.Failure{Attempt: attempt, Troubles: attempt, Err: err, Verdict: processor.Classify(err)}
}

func TestATransientFailureHoldsWithGrowingBackOff(t *testing.T) {
	for attempt, want := range map[int]time.Duration{
		1: 500 * time.Millisecond, 2: time.Second, 3: 2 * time.Second, 20: 30 * time.Second,
	} {
		d, _ := decide(t, Pause{}, failure(errBoom, attempt))
		if d.Action != lane.Retry || d.Reason != pause.Retry || d.Wait != want {
			t.Errorf("attempt %d: %+v, want a retry after %v", attempt, d, want)
		}
	}
}

func TestRetryAfterTakesThePlaceOfTheBackOff(t *testing.T) {
	for asked, want := range map[time.Duration]time.Duration{3 * time.Minute: 3 * time.Minute, 0: 1} {
		d, _ := decide(t, Pause{}, failure(processor.RetryAfter(asked, errBoom), 1))
		if d.Wait != want {
			t.Errorf("asked for %v: waits %v, want %v", asked, d.Wait, want)
		}
	}
}

func TestMaxAttemptsIsFollowedByOnExhausted(t *testing.T) {
	for on, want := range map[OnExhausted]lane.Action{
		"": lane.Pause, ExhaustedPause: lane.Pause, ExhaustedSkip: lane.Skip, ExhaustedStop: lane.Stop,
	} {
		p := Pause{MaxAttempts: 3, OnExhausted: on}
		if d, _ := decide(t, p, failure(errBoom, 2)); d.Action != lane.Retry {
			t.Errorf("%q, attempt 2 of 3: %v, want a retry", on, d.Action)
		}
		if d, _ := decide(t, p, failure(errBoom, 3)); d.Action != want {
			t.Errorf("%q, attempt 3 of 3: %v, want %v", on, d.Action, want)
		}
		if d, _ := decide(t, p, failure(processor.DeadLetter(errBoom), 1)); d.Action != want {
			t.Errorf("%q, permanent: %v, want %v", on, d.Action, want)
		}
	}
}

func TestMaxAttemptsZeroTriesForEver(t *testing.T) {
	if d, _ := decide(t, Pause{OnExhausted: ExhaustedStop}, failure(errBoom, 1_000_000)); d.Action != lane.Retry {
		t.Errorf("%v, want a retry", d.Action)
	}
}

// classified is an error of another room.
type classified struct{ class processor.Class }

func (c classified) Error() string          { return "delivery trouble" }
func (c classified) Class() processor.Class { return c.class }

func TestInfrastructureIsNeverCountedAndWaitsShortly(t *testing.T) {
	for n := range 50 {
		f := failure(classified{processor.ClassInfrastructure}, n+1)
		d, troubles := decide(t, Pause{MaxAttempts: 1, OnExhausted: ExhaustedSkip}, f)
		if d.Action != lane.Retry || d.Reason != pause.Delivery || d.Wait < 800*time.Millisecond || d.Wait > 5*time.Second {
			t.Fatalf("trouble %d: %+v, want a delivery hold of 1 s to 5 s", n+1, d)
		}
		if troubles != 0 {
			t.Fatal("infrastructure was told of as configuration")
		}
	}
}

func TestAConfigurationFailureIsToldOfAndRetried(t *testing.T) {
	d, troubles := decide(t, Pause{MaxAttempts: 1}, failure(classified{processor.ClassConfiguration}, 9))
	if d.Action != lane.Retry || d.Reason != pause.Delivery || troubles != 1 {
		t.Errorf("%+v, told of %d times", d, troubles)
	}
}

func TestStopStops(t *testing.T) {
	if d, _ := decide(t, Pause{}, failure(processor.Stop(errBoom), 1)); d.Action != lane.Stop {
		t.Errorf("%v, want stop", d.Action)
	}
}

func TestATopicIsFoundByNameBeforeItsPatterns(t *testing.T) {
	s, err := newSubscription([]Topic{{Name: "^orders-.*"}, {Name: "^.*"}, {Name: "orders-eu"}})
	if err != nil {
		t.Fatal(err)
	}
	for topic, want := range map[string]string{"orders-eu": "orders-eu", "orders-us": "^orders-.*", "other": "^.*"} {
		if got := s.find(topic).Name; got != want {
			t.Errorf("%s is found as %s, want %s", topic, got, want)
		}
	}
}

func TestConfigurationTroubleEndsWithThePositionOrTheAssignment(t *testing.T) {
	h := newHealth(event.Discard)
	p := processor.Partition{Topic: "in", Partition: 3}
	h.configFailed(lane.Failure{Partition: p, Offset: 7, Err: errBoom})
	now := time.Now()
	if err := h.review(now, time.Hour, map[processor.Partition]int64{p: 7}); err != nil || len(h.all()) != 1 {
		t.Fatalf("inside the grace time: %v, troubles %v", err, h.all())
	}
	if err := h.review(now.Add(2*time.Hour), time.Hour, map[processor.Partition]int64{p: 7}); !errors.Is(err, errBoom) {
		t.Fatalf("past the grace time: %v, want the cause", err)
	}
	if err := h.review(now.Add(2*time.Hour), time.Hour, map[processor.Partition]int64{p: 8}); err != nil || len(h.all()) != 0 {
		t.Fatalf("the position went on: %v, troubles %v", err, h.all())
	}
	h.configFailed(lane.Failure{Partition: p, Offset: 9, Err: errBoom})
	if err := h.review(now.Add(9*time.Hour), time.Hour, nil); err != nil || len(h.all()) != 0 {
		t.Fatalf("not ours any more: %v, troubles %v", err, h.all())
	}
}
