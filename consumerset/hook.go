package consumerset

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

// hookChain calls hooks one after the other, beside the member's goroutine. A hook
// that overruns its deadline no longer holds up the next one.
type hookChain struct {
	failed func(name string, cause error)
	ending chan struct{} // closed when no hook is waited for any longer
	last   chan struct{} // closed when the last hook is over; nil before the first
}

// call runs the hook after the earlier ones and returns a channel that is closed
// when it is over: returned, or overrun. The deadline holds for the wait too.
func (h *hookChain) call(name string, limit time.Duration, fn func(context.Context) error) <-chan struct{} {
	over, before := make(chan struct{}), h.last
	h.last = over
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, ErrHookOverran)
	go func() {
		defer close(over)
		defer cancel()
		if before != nil {
			select {
			case <-before:
			case <-ctx.Done():
				h.failed(name, fmt.Errorf("wait for the hook before: %w", context.Cause(ctx)))
				return
			case <-h.ending:
				h.failed(name, fmt.Errorf("wait for the hook before, at the end of the member: %w", ErrHookOverran))
				return
			}
		}
		result := make(chan error, 1) // the hook may return when nobody waits any more
		go func() { result <- protect(ctx, fn) }()
		select {
		case err := <-result:
			if err != nil {
				h.failed(name, err)
			}
		case <-ctx.Done():
			h.failed(name, context.Cause(ctx))
		case <-h.ending:
			h.failed(name, fmt.Errorf("at the end of the member: %w", ErrHookOverran))
		}
	}()
	return over
}

// end waits for the hooks that are under way, for no longer than the limit: the end
// of the member is the deadline of all of them, and what did not return by then is
// told while somebody listens. No call follows.
func (h *hookChain) end(limit time.Duration) {
	if h.last == nil {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-h.last:
	case <-timer.C:
		close(h.ending)
		<-h.last
	}
}

// protect turns a panic of user code into a *processor.PanicError. One that was
// caught before and raised again keeps the stack of where it began.
func protect(ctx context.Context, fn func(context.Context) error) error {
	hook := func(ctx context.Context, _ *processor.Message) error { return fn(ctx) }
	err := processor.Call(ctx, processor.Func(hook), nil)
	if p, ok := errors.AsType[*processor.PanicError](err); ok {
		if _, again := errors.AsType[*processor.PanicError](p.Unwrap()); again {
			return p.Unwrap()
		}
	}
	return err
}
