package processor

import (
	"context"
	"fmt"
	"runtime/debug"
)

// PanicError is a panic of user code, as an error. Its class is transient: the
// unit runs again after a back-off like after any other error.
type PanicError struct {
	// Value is what was given to panic; Stack the goroutine's stack at that time.
	Value any
	Stack []byte
}

// Error implements error. It has the value but not the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value if that is an error: runtime.Error, for example.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Class implements Classified.
func (e *PanicError) Class() Class { return ClassTransient }

// Call runs the processor on the message, on this goroutine, and returns its
// error, or a *PanicError when it panicked.
//
// When the processor calls runtime.Goexit (the FailNow of package testing does),
// Call does not return: the language offers no way to stop that, and a unit test
// that calls its processor with Call ends as it should. A goroutine that has to
// go on uses Resume.
func Call(ctx context.Context, p Processor, m *Message) (err error) {
	defer recovered(&err)
	return sound(p.Process(ctx, m))
}

// CallBatch is Call for batches.
func CallBatch(ctx context.Context, p BatchProcessor, b *Batch) (err error) {
	defer recovered(&err)
	return sound(p.ProcessBatch(ctx, b))
}

// sound asks an error all that is going to be asked of it, where a panic of its
// methods is still caught: a nil pointer in an error's clothes, for example.
func sound(err error) error {
	if err != nil {
		_ = err.Error()
		Classify(err)
	}
	return err
}

func guard(f func() error) (err error) {
	defer recovered(&err)
	return sound(f())
}

// recovered must be deferred itself: recover answers only to the deferred
// function.
func recovered(err *error) {
	if v := recover(); v != nil {
		p := &PanicError{Value: v, Stack: debug.Stack()}
		if !harmless(p) {
			p.Value = fmt.Sprintf("a %T whose own methods panic", v)
		}
		*err = p
	}
}

// harmless tells whether the error can be asked without a panic.
func harmless(err error) (ok bool) {
	defer func() { ok = recover() == nil }()
	_ = sound(err)
	return true
}
