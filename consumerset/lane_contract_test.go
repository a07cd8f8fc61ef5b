package consumerset_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

var _ consumerset.Lane = (*lane.Lane)(nil)

// again is a policy that runs everything again at once.
type again struct{}

func (again) Decide(lane.Failure) lane.Decision {
	return lane.Decision{Action: lane.Retry, Wait: millisecond, Reason: pause.Retry}
}

type freely struct{}

func (freely) Acquire(context.Context) error { return nil }
func (freely) Release()                      {}
func (freely) Contended() bool               { return false }

// counting counts what it processes.
type counting struct{ n atomic.Int64 }

func (c *counting) Process(context.Context, *processor.Message) error {
	c.n.Add(1)
	return nil
}

func TestRealLanesConsumeAndCommitEverything(t *testing.T) {
	t.Parallel()
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := setup(t, 3)
			r.produce(3, 0, 400)
			p := &counting{}
			cfg := r.config()
			change(&cfg)
			cfg.StartLane = func(a consumerset.Assignment) consumerset.Lane {
				return lane.New(lane.Config{
					Source: a.Source, Start: a.Start, Feed: a.Feed, After: a.After,
					Processor: p, Policy: again{}, Slots: freely{}, Events: event.Discard,
					MaxOutstanding: 10, LateAfter: time.Second, Stopped: func(error) {},
				})
			}
			s := r.start(cfg)
			r.quiet(s, 1200)
			if res := s.stop(); res.Outcome() != consumerset.Clean {
				t.Errorf("ended %v: %+v", res.Outcome(), res)
			}
			if n := p.n.Load(); n != 1200 {
				t.Errorf("%d messages processed", n)
			}
		})
	}
}
