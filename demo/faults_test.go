package demo

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/processor"
)

func newFaults(share float64, from, to time.Time, now *time.Time) *faults {
	return &faults{
		share: share, from: from, to: to,
		now: func() time.Time { return *now }, victim: func() int32 { return 1 }, random: rand.New(rand.NewPCG(1, 2)),
	}
}

func TestAMendedOutageIsOver(t *testing.T) {
	start := time.Unix(1000, 0)
	f := newFaults(0, start, start.Add(time.Hour), &start)
	p := f.middleware(processor.Func(func(context.Context, *processor.Message) error { return nil }))
	var rec kafkatest.Recorder
	m := kafkatest.NewMessage("in", "x", kafkatest.At(1, 0))
	if err := rec.Process(t.Context(), p, m).Err(); !errors.Is(err, errOutage) {
		t.Fatalf("in the outage: %v", err)
	}
	f.mend()
	if err := rec.Process(t.Context(), p, m).Err(); err != nil {
		t.Errorf("after it: %v", err)
	}
}

func TestTheOutageStrikesOnePartitionForItsTime(t *testing.T) {
	start := time.Unix(1000, 0)
	now := start
	f := newFaults(0, start.Add(5*time.Second), start.Add(10*time.Second), &now)
	var ran int
	p := f.middleware(processor.Func(func(context.Context, *processor.Message) error { ran++; return nil }))
	var rec kafkatest.Recorder
	run := func(after time.Duration, partition int32) error {
		now = start.Add(after)
		return rec.Process(t.Context(), p, kafkatest.NewMessage("in", "x", kafkatest.At(partition, 0))).Err()
	}
	if err := run(5*time.Second, 2); err != nil {
		t.Errorf("another partition, before the victim: %v", err)
	}
	if err := run(4*time.Second, 1); err != nil {
		t.Errorf("before the outage: %v", err)
	}
	if err := run(5*time.Second, 1); !errors.Is(err, errOutage) {
		t.Errorf("the victim in the outage: %v", err)
	}
	if err := run(6*time.Second, 2); err != nil {
		t.Errorf("another partition: %v", err)
	}
	if err := run(9*time.Second, 1); err == nil {
		t.Error("the partition was mended too early")
	}
	if err := run(10*time.Second, 1); err != nil {
		t.Errorf("after the outage: %v", err)
	}
	if ran != 4 || f.injected.Load() != 2 {
		t.Errorf("the processor ran %d times, %d failures were injected; want 4 and 2", ran, f.injected.Load())
	}
}

func TestTheShareOfRunsFailsBeforeOrAfterTheProcessor(t *testing.T) {
	now := time.Unix(1000, 0)
	f := newFaults(0.1, now.Add(-2), now.Add(-1), &now)
	p := f.middleware(processor.Func(func(ctx context.Context, m *processor.Message) error {
		return m.Send(ctx, processor.Record{Topic: "out"})
	}))
	var rec kafkatest.Recorder
	failed, afterwards := 0, 0
	for _, r := range rec.Process(t.Context(), p, kafkatest.NewMessages("in", make([]string, 10000)...)...) {
		if r.Err != nil {
			failed++
			afterwards += len(r.Sent)
		}
	}
	if failed < 800 || failed > 1200 || int64(failed) != f.injected.Load() {
		t.Errorf("%d of 10,000 runs failed, %d were injected; want about 1,000", failed, f.injected.Load())
	}
	if afterwards < failed/3 || afterwards > failed*2/3 {
		t.Errorf("%d of %d failures came after the processor, want about half", afterwards, failed)
	}
}

func TestAProcessorsOwnErrorIsNotReplaced(t *testing.T) {
	now := time.Unix(1000, 0)
	f := newFaults(1, now, now, &now)
	errOwn := errors.New("own")
	p := f.middleware(processor.Func(func(context.Context, *processor.Message) error { return errOwn }))
	var rec kafkatest.Recorder
	for range 20 {
		err := rec.Process(t.Context(), p, kafkatest.NewMessage("in", "x")).Err()
		if !errors.Is(err, errOwn) && !errors.Is(err, errFlaky) {
			t.Fatalf("error %v", err)
		}
	}
}
