package runner

import (
	"math/rand/v2"
	"time"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

// infrastructureBackoff is the back-off after a failed delivery: short, since
// the trouble is not the message's, and never counted.
var infrastructureBackoff = pause.Backoff{ //nolint:gochecknoglobals // a constant that Go cannot declare as one
	Initial: time.Second, Max: 5 * time.Second, Multiplier: 2, Jitter: 0.2,
}

// policy decides what follows a failure: lane.Policy. One per lane.
type policy struct {
	pause   Pause
	backoff pause.Backoff
	random  func() float64
	trouble func(lane.Failure) // a configuration failure
}

func newPolicy(p Pause, trouble func(lane.Failure)) *policy {
	return &policy{
		pause: p,
		backoff: pause.Backoff{
			Initial: p.Initial, Max: p.Max, Multiplier: p.Multiplier, Jitter: *p.Jitter,
		},
		random:  rand.Float64,
		trouble: trouble,
	}
}

// Decide implements lane.Policy.
func (p *policy) Decide(f lane.Failure) lane.Decision {
	switch f.Verdict.Class {
	case processor.ClassStop:
		return lane.Decision{Action: lane.Stop}
	case processor.ClassConfiguration, processor.ClassInfrastructure:
		if f.Verdict.Class == processor.ClassConfiguration {
			p.trouble(f)
		}
		return lane.Decision{
			Action: lane.Retry, Reason: pause.Delivery,
			Wait: infrastructureBackoff.Wait(f.Troubles, p.random()),
		}
	case processor.ClassPermanent:
		return lane.Decision{Action: p.exhausted()}
	case processor.ClassNone, processor.ClassSkip, processor.ClassTransient:
	}
	if p.pause.MaxAttempts > 0 && f.Attempt >= p.pause.MaxAttempts {
		return lane.Decision{Action: p.exhausted()}
	}
	wait := f.Verdict.RetryAfter
	if wait == 0 {
		wait = p.backoff.Wait(f.Attempt, p.random())
	}
	return lane.Decision{Action: lane.Retry, Reason: pause.Retry, Wait: wait}
}

func (p *policy) exhausted() lane.Action {
	switch p.pause.OnExhausted {
	case ExhaustedSkip:
		return lane.Skip
	case ExhaustedStop:
		return lane.Stop
	case ExhaustedPause:
	}
	return lane.Pause
}
