package processor_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/processor"
)

func explode(context.Context, *processor.Message) error {
	return errors.New(string(make([]byte, 0)[len("x")])) // an index out of range
}

func TestCallReturnsWhatTheProcessorReturns(t *testing.T) {
	p := processor.Func(func(context.Context, *processor.Message) error { return errPlain })
	if err := processor.Call(t.Context(), p, message("in", 0, 1, "")); err != errPlain { //nolint:errorlint // the very value
		t.Errorf("Call = %v, want the processor's own error", err)
	}
}

func TestCallTurnsAPanicIntoAnErrorWithItsStack(t *testing.T) {
	err := processor.Call(t.Context(), processor.Func(explode), message("in", 0, 1, ""))
	var p *processor.PanicError
	if !errors.As(err, &p) {
		t.Fatalf("Call = %v, want a PanicError", err)
	}
	if !strings.Contains(string(p.Stack), "explode") {
		t.Errorf("the stack does not show where it happened:\n%s", p.Stack)
	}
	if _, ok := errors.AsType[runtime.Error](err); !ok {
		t.Error("the runtime error is not found in the PanicError")
	}
	if strings.Contains(err.Error(), "goroutine") {
		t.Errorf("the stack is in the text: %q", err)
	}
}

func TestCallBatchTurnsAPanicIntoAnError(t *testing.T) {
	p := processor.BatchFunc(func(context.Context, *processor.Batch) error { panic("boom") })
	err := processor.CallBatch(t.Context(), p, &processor.Batch{})
	var pe *processor.PanicError
	if !errors.As(err, &pe) || pe.Value != "boom" {
		t.Fatalf("CallBatch = %v, want the panic", err)
	}
}

// resumed runs body under Resume on a goroutine of its own and tells how often
// exited was called.
func resumed(body func()) (exits int, panicked any) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		processor.Resume(body, func() { exits++ })
	}()
	<-done
	return exits, panicked
}

func TestResumeGoesOnAfterGoexit(t *testing.T) {
	ended := 0
	p := processor.Func(func(_ context.Context, m *processor.Message) error {
		defer func() { ended++ }()
		if m.Offset%3 == 0 {
			runtime.Goexit()
		}
		return nil
	})
	var offset, returned int64
	exits, _ := resumed(func() {
		for offset < 10 {
			offset++
			if err := processor.Call(t.Context(), p, message("in", 0, offset, "")); err == nil {
				returned++
			}
		}
	})
	if ended != 10 || returned != 7 || exits != 3 {
		t.Errorf("%d of 10 messages ran, %d calls returned (want 7), %d exits were seen (want 3)", ended, returned, exits)
	}
}

func TestResumeReturnsWhenNothingExited(t *testing.T) {
	if exits, panicked := resumed(func() {}); exits != 0 || panicked != nil {
		t.Errorf("exits %d, panic %v", exits, panicked)
	}
}

func TestResumeLetsAPanicThrough(t *testing.T) {
	if exits, panicked := resumed(func() { panic("boom") }); exits != 0 || panicked != "boom" {
		t.Errorf("exits %d, panic %v: want none and boom", exits, panicked)
	}
}

// hollow is an error type whose methods need what a nil pointer does not have.
type hollow struct{ inner error }

func (h *hollow) Error() string { return "hollow" }
func (h *hollow) Unwrap() error { return h.inner }

// classless is one whose class panics.
type classless struct{ class *processor.Class }

func (*classless) Error() string            { return "classless" }
func (c *classless) Class() processor.Class { return *c.class }

func TestAPanicWithAnErrorWhoseMethodsPanicIsStillOne(t *testing.T) {
	p := processor.Func(func(context.Context, *processor.Message) error { panic((*hollow)(nil)) })
	err := processor.Call(t.Context(), p, &processor.Message{})
	if v := processor.Classify(err); v.Class != processor.ClassTransient || !strings.Contains(err.Error(), "hollow") {
		t.Errorf("%v, class %v", err, v.Class)
	}
}

func TestAnErrorWhoseMethodsPanicIsAPanic(t *testing.T) {
	for name, broken := range map[string]error{"unwrap": (*hollow)(nil), "class": &classless{}} {
		single := processor.Func(func(context.Context, *processor.Message) error { return broken })
		batch := processor.BatchFunc(func(context.Context, *processor.Batch) error { return broken })
		for kind, err := range map[string]error{
			"message": processor.Call(t.Context(), single, &processor.Message{}),
			"batch":   processor.CallBatch(t.Context(), batch, &processor.Batch{}),
		} {
			if _, ok := errors.AsType[*processor.PanicError](err); !ok {
				t.Errorf("%s, %s: %T, want a PanicError", name, kind, err)
				continue
			}
			if v := processor.Classify(err); v.Class != processor.ClassTransient {
				t.Errorf("%s, %s: class %v", name, kind, v.Class)
			}
		}
	}
}
