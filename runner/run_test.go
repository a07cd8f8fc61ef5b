package runner_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/kafkatest/embedded"
	"github.com/pitlane-go/pitlane/processor"
	"github.com/pitlane-go/pitlane/runner"
)

var errBoom = errors.New("boom")

// events gathers a runner's events and lets a test wait for one.
type events struct {
	mu      sync.Mutex
	all     []event.Event
	changed chan struct{}
}

func newEvents() *events { return &events{changed: make(chan struct{})} }

func (e *events) sink(_ time.Time, ev event.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, ev)
	close(e.changed)
	e.changed = make(chan struct{})
}

// list returns the events so far.
func (e *events) list() []event.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]event.Event(nil), e.all...)
}

// wait returns the first event of type T that is accepted.
func wait[T event.Event](t *testing.T, e *events, accept func(T) bool) T {
	t.Helper()
	timeout := time.After(30 * time.Second)
	seen := 0
	for {
		e.mu.Lock()
		all, changed := e.all, e.changed
		e.mu.Unlock()
		for ; seen < len(all); seen++ {
			if ev, ok := all[seen].(T); ok && accept(ev) {
				return ev
			}
		}
		select {
		case <-changed:
		case <-timeout:
			var none T
			t.Fatalf("no %T within 30s", none)
		}
	}
}

// world is a broker with an input of n messages over 3 partitions, and a runner.
type world struct {
	broker *embedded.Broker
	events *events
	cfg    runner.Config
	ended  chan error
	run    *runner.Runner
}

func setup(t *testing.T, n int) *world {
	t.Helper()
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"in": 3, "out": 3}})
	recs := make([]*embedded.Record, n)
	for i := range recs {
		recs[i] = &embedded.Record{Partition: int32(i % 3), Value: fmt.Appendf(nil, "%d", i)}
	}
	if err := b.Produce(t.Context(), "in", recs...); err != nil {
		t.Fatal(err)
	}
	e := newEvents()
	return &world{broker: b, events: e, ended: make(chan error, 1), cfg: runner.Config{
		Brokers: b.Addrs(), Group: "g", Topics: []runner.Topic{{Name: "in"}},
		CommitInterval: 50 * time.Millisecond, Events: e.sink,
		Pause: runner.Pause{Initial: time.Millisecond, Max: 10 * time.Millisecond},
	}}
}

func (w *world) start(ctx context.Context, p processor.Processor) {
	w.run = runner.New(w.cfg, p)
	go func() { w.ended <- w.run.Run(ctx) }()
}

func (w *world) end(t *testing.T) error {
	t.Helper()
	select {
	case err := <-w.ended:
		return err
	case <-time.After(30 * time.Second):
		t.Fatal("the runner has not ended within 30s")
		return nil
	}
}

func (w *world) committed() (n int64) {
	for _, o := range w.broker.CommittedOffsets("g", "in") {
		n += o
	}
	return n
}

// forward copies to the output, partition by partition.
func forward(ctx context.Context, m *processor.Message) error {
	p := m.Partition
	return m.Send(ctx, processor.Record{Topic: "out", Value: m.Value, Partition: &p})
}

func TestTheEndOfTheContextStopsInOrder(t *testing.T) {
	const n = 300
	w := setup(t, n)
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	seen := 0
	w.start(ctx, processor.Func(func(ctx context.Context, m *processor.Message) error {
		mu.Lock()
		defer mu.Unlock()
		if seen++; seen == n {
			cancel()
		}
		return forward(ctx, m)
	}))
	if err := w.end(t); err != nil {
		t.Fatal(err)
	}
	if got := w.committed(); got != n {
		t.Errorf("committed %d, want %d", got, n)
	}
	out, err := w.broker.ReadAll(t.Context(), "out")
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != n {
		t.Errorf("%d outputs, want %d", len(out), n)
	}
	if s := w.run.Status(); s.State != runner.StateStopped {
		t.Errorf("state %v", s.State)
	}
}

func TestAProcessorThatStopsEndsTheRunAndNothingIsCommittedPastIt(t *testing.T) {
	w := setup(t, 30)
	w.start(t.Context(), processor.Func(func(_ context.Context, m *processor.Message) error {
		if m.Partition == 1 && m.Offset == 4 {
			return processor.Stop(errBoom)
		}
		return nil
	}))
	err := w.end(t)
	var stopped *runner.StoppedError
	if !errors.As(err, &stopped) || !errors.Is(err, errBoom) || stopped.Partition.Partition != 1 {
		t.Fatalf("%v, want a StoppedError of partition 1", err)
	}
	if got := w.broker.CommittedOffsets("g", "in")[1]; got != 4 {
		t.Errorf("partition 1 committed at %d, want 4", got)
	}
}

func TestCancelEndsTheContextsOfRunningAttempts(t *testing.T) {
	w := setup(t, 3)
	running := make(chan struct{}, 3)
	w.start(t.Context(), processor.Func(func(ctx context.Context, _ *processor.Message) error {
		running <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}))
	<-running
	w.run.Stop()
	wait(t, w.events, func(e event.RunnerState) bool { return e.To == "draining" })
	w.run.Cancel()
	err := w.end(t)
	var left *runner.UnfinishedError
	if !errors.As(err, &left) || len(left.Running) == 0 {
		t.Fatalf("%v, want an UnfinishedError that names partitions", err)
	}
	if got := w.committed(); got > 0 {
		t.Errorf("committed %d of what was cancelled", got)
	}
}

func TestASlowAttemptIsReportedOnceWithItsStack(t *testing.T) {
	w := setup(t, 1)
	w.cfg.SlowAfter = 1500 * time.Millisecond
	release := make(chan struct{})
	w.start(t.Context(), processor.Func(func(context.Context, *processor.Message) error {
		sleepyFunction(release)
		return nil
	}))
	e := wait(t, w.events, func(event.ProcessorSlow) bool { return true })
	if !strings.Contains(e.Stack, "sleepyFunction") || e.Offset != 0 {
		t.Errorf("offset %d, stack:\n%s", e.Offset, e.Stack)
	}
	close(release)
	w.run.Stop()
	if err := w.end(t); err != nil {
		t.Error(err)
	}
	slow := 0
	for _, ev := range w.events.list() {
		if _, ok := ev.(event.ProcessorSlow); ok {
			slow++
		}
	}
	if slow != 1 {
		t.Errorf("reported %d times", slow)
	}
}

//go:noinline
func sleepyFunction(release chan struct{}) { <-release }

func TestAnAbsentTopicIsWaitedForUntilTheStartTimeout(t *testing.T) {
	w := setup(t, 0)
	w.cfg.Topics = []runner.Topic{{Name: "absent"}}
	w.cfg.StartTimeout = time.Second
	w.start(t.Context(), processor.Func(forward))
	wait(t, w.events, func(e event.Unhealthy) bool { return strings.Contains(fmt.Sprint(e.Cause), "absent") })
	err := w.end(t)
	var start *runner.StartError
	if !errors.As(err, &start) || !strings.Contains(err.Error(), "absent") {
		t.Fatalf("%v, want a StartError that names the topic", err)
	}
}

func TestATopicThatAppearsInTimeIsConsumed(t *testing.T) {
	w := setup(t, 0)
	w.cfg.Topics = []runner.Topic{{Name: "late"}}
	got := make(chan struct{}, 1)
	w.start(t.Context(), processor.Func(func(context.Context, *processor.Message) error {
		got <- struct{}{}
		return nil
	}))
	wait(t, w.events, func(event.Unhealthy) bool { return true })
	if err := w.broker.CreateTopic("late", 1, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.broker.Produce(t.Context(), "late", &embedded.Record{Value: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	<-got
	wait(t, w.events, func(event.Healthy) bool { return true })
	w.run.Stop()
	if err := w.end(t); err != nil {
		t.Error(err)
	}
}

func TestAnUnknownOutputTopicIsUnhealthyAndGivesUpAfterTheGraceTime(t *testing.T) {
	w := setup(t, 1)
	w.cfg.FailureGrace = 2 * time.Second
	w.cfg.Producer = map[string]string{"topic.metadata.propagation.max.ms": "500"}
	w.start(t.Context(), processor.Func(func(ctx context.Context, m *processor.Message) error {
		return m.Send(ctx, processor.Record{Topic: "nowhere"})
	}))
	wait(t, w.events, func(e event.Unhealthy) bool { return strings.Contains(fmt.Sprint(e.Cause), "nowhere") })
	err := w.end(t)
	var gaveUp *runner.GaveUpError
	if !errors.As(err, &gaveUp) || runner.ExitCode(err) != runner.ExitGaveUp {
		t.Fatalf("%v, want a GaveUpError", err)
	}
	if got := w.committed(); got > 0 {
		t.Errorf("committed %d past a record that was not delivered", got)
	}
}

func TestHooksAreCalledInOrder(t *testing.T) {
	w := setup(t, 3)
	p := &hooked{}
	w.start(t.Context(), p)
	wait(t, w.events, func(event.PartitionAssigned) bool { return true })
	w.run.Stop()
	if err := w.end(t); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.calls, " "); got != "setup(g) assigned(3) revoked(3) teardown" {
		t.Errorf("calls: %s", got)
	}
}

type hooked struct {
	mu    sync.Mutex
	calls []string
}

func (h *hooked) note(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, fmt.Sprintf(format, args...))
}

func (h *hooked) Process(context.Context, *processor.Message) error { return nil }

func (h *hooked) Setup(_ context.Context, env processor.Env) error {
	h.note("setup(%s)", env.Group)
	return nil
}

func (h *hooked) OnAssigned(_ context.Context, ps []processor.Partition) error {
	h.note("assigned(%d)", len(ps))
	return nil
}

func (h *hooked) OnRevoked(_ context.Context, ps []processor.Partition) {
	h.note("revoked(%d)", len(ps))
}

func (h *hooked) Teardown(context.Context) error {
	h.note("teardown")
	return nil
}
