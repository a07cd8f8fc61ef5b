package runner

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// stuck is a processor whose Setup does not look at its context.
type stuck struct{ release chan struct{} }

func (s stuck) Process(context.Context, *processor.Message) error { return nil }

func (s stuck) Setup(context.Context, processor.Env) error {
	<-s.release
	return nil
}

func TestASetupThatHangsDoesNotOutliveTheDeadlineOfAStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := stuck{make(chan struct{})}
		r := New(Config{}, s)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		began := time.Now()
		err := r.setUp(ctx)
		if took := time.Since(began); took != time.Minute+r.cfg.Shutdown.Deadline {
			t.Errorf("left after %v", took)
		}
		if _, ok := errors.AsType[*StartError](err); !ok {
			t.Errorf("set up: %v", err)
		}
		close(s.release)
	})
}

// A member that fails while it drains ends nothing that was not ending already, and
// its failure must not be taken for a clean stop.
func TestAMemberThatFailsInTheStopLeavesWorkUnfinished(t *testing.T) {
	r := New(Config{}, stuck{})
	result := consumerset.Result{Members: []consumerset.MemberResult{{Member: "m", Err: errBoom}}}
	if err := r.left(nil, result, true); ExitCode(err) != ExitUnfinished || !errors.Is(err, errBoom) {
		t.Errorf("left %v", err)
	}
	if err := r.left(errBoom, result, true); err != nil {
		t.Errorf("left %v though the failure was told", err)
	}
}

// noFeed has nothing to read.
type noFeed struct{}

func (noFeed) Read(int) ([]processor.Message, bool, error) { return nil, false, nil }
func (noFeed) Wake() <-chan struct{}                       { return nil }

// A lane that is made on the member's goroutine must not run user code there.
func TestTheProcessorOfAPartitionIsMadeByItsLane(t *testing.T) {
	calls := 0
	single := processor.PerPartition(func(processor.Partition) processor.Processor {
		if calls++; calls == 1 {
			panic("not yet")
		}
		return processor.Func(func(context.Context, *processor.Message) error { return nil })
	})
	batch := processor.BatchPerPartition(func(processor.Partition) processor.BatchProcessor {
		calls++
		return processor.BatchFunc(func(context.Context, *processor.Batch) error { return nil })
	})
	a := consumerset.Assignment{Source: event.Source{Partition: processor.Partition{Topic: "in"}}, Feed: noFeed{}}
	for _, r := range []*Runner{New(Config{}, single), NewBatch(Config{}, batch)} {
		var err error
		if r.sub, err = newSubscription(nil); err != nil {
			t.Fatal(err)
		}
		l := r.startLane(a).(*lane.Lane) //nolint:forcetypeassert // a test may panic
		l.Stop()
		l.Run()
	}
	if calls != 0 {
		t.Errorf("made %d processors for no message", calls)
	}
	p := &made{root: single}
	if _, ok := errors.AsType[*processor.PanicError](processor.Call(t.Context(), p, &processor.Message{})); !ok {
		t.Error("the panic is not an error of the attempt")
	}
	for range 2 {
		if err := processor.Call(t.Context(), p, &processor.Message{}); err != nil {
			t.Error(err)
		}
	}
	if calls != 2 {
		t.Errorf("made %d times, want 2: one that failed, one that stays", calls)
	}
}

// Nothing can be sent after it, so going on would repeat attempts for ever.
func TestAFatalErrorOfTheProducerEndsTheRun(t *testing.T) {
	seen := 0
	r := New(Config{Events: func(time.Time, event.Event) { seen++ }}, stuck{})
	r.producerEvent(time.Now(), event.ClientError{Client: "producer", Cause: errBoom})
	select {
	case err := <-r.endCh:
		t.Errorf("ended by an error that the client recovers from: %v", err)
	default:
	}
	r.producerEvent(time.Now(), event.ClientError{Client: "producer", Fatal: true, Cause: errBoom})
	select {
	case err := <-r.endCh:
		if ExitCode(err) != ExitGaveUp || !errors.Is(err, errBoom) {
			t.Errorf("ended by %v", err)
		}
	default:
		t.Error("goes on")
	}
	if seen != 2 {
		t.Errorf("%d events passed on, want 2", seen)
	}
}
