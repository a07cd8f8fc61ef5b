package kafkatest_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/processor"
)

// hooked is a processor with a hook of its own.
type hooked struct {
	processor.Processor
	lost int
}

func (h *hooked) OnLost(context.Context, []processor.Partition) { h.lost++ }

func kinds(h *kafkatest.History) []string {
	var out []string
	for _, e := range events(h) {
		s := e.Kind.String()
		if e.Kind == kafkatest.KindEnd {
			s += " " + e.Outcome.String()
		}
		out = append(out, s)
	}
	return out
}

func TestWitnessNotesRunsAndHooks(t *testing.T) {
	h := kafkatest.NewHistory()
	errs := []error{nil, errBroker, processor.Skip(errBroker)}
	inner := &hooked{Processor: processor.Func(func(context.Context, *processor.Message) error {
		err := errs[0]
		errs = errs[1:]
		return err
	})}
	p := kafkatest.NewWitness(h, "a", func(m *processor.Message) int64 { return m.Offset + 1 }).Process(inner)
	at := processor.Partition{Topic: "in", Partition: 0}

	var r kafkatest.Recorder
	r.Process(t.Context(), p, kafkatest.NewMessages("in", "a", "b", "c")...)
	hooks := processor.Hooks(p)
	if err := errors.Join(
		hooks.OnRevoked(t.Context(), []processor.Partition{at}), hooks.OnLost(t.Context(), []processor.Partition{at}),
	); err != nil {
		t.Fatal(err)
	}
	want := []string{"assigned", "start", "end ok", "start", "end failed", "start", "end skipped", "revoked", "lost"}
	if got := kinds(h); !slices.Equal(got, want) {
		t.Fatalf("noted %q, want %q", got, want)
	}
	if inner.lost != 1 {
		t.Fatalf("the processor's own hook was called %d times", inner.lost)
	}
	if e := events(h)[1]; e.ID != 1 || e.Epoch != 1 || e.Member != "a" || e.Attempt != 1 {
		t.Fatalf("noted %+v", e)
	}
	errs = []error{nil}
	r.Process(t.Context(), p, kafkatest.NewMessage("in", "d"))
	if all := events(h); all[len(all)-1].Epoch != 2 {
		t.Fatalf("a new assignment is epoch %d", all[len(all)-1].Epoch)
	}
}

func TestWitnessNotesACancelledRun(t *testing.T) {
	h := kafkatest.NewHistory()
	ctx, cancel := context.WithCancel(t.Context())
	p := kafkatest.NewWitness(h, "a", nil).Process(processor.Func(func(ctx context.Context, _ *processor.Message) error {
		cancel()
		return ctx.Err()
	}))
	var r kafkatest.Recorder
	r.Process(ctx, p, kafkatest.NewMessage("in", "a"))
	if got := kinds(h); got[len(got)-1] != "end cancelled" {
		t.Fatalf("noted %q", got)
	}
}

func TestWitnessNotesABatchAsOneUnit(t *testing.T) {
	h := kafkatest.NewHistory()
	p := kafkatest.NewWitness(h, "a", nil).ProcessBatch(processor.BatchFunc(func(context.Context, *processor.Batch) error {
		return processor.FailedAt(1, errBroker)
	}))
	var r kafkatest.Recorder
	r.ProcessBatch(t.Context(), p, kafkatest.NewMessages("in", "a", "b")...)
	want := []string{"assigned", "start", "start", "end ok", "end failed"}
	if got := kinds(h); !slices.Equal(got, want) {
		t.Fatalf("noted %q, want %q", got, want)
	}
	if es := events(h); es[1].Unit == 0 || es[1].Unit != es[4].Unit {
		t.Fatalf("units %d and %d", es[1].Unit, es[4].Unit)
	}
}
