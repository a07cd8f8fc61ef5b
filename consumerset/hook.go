package consumerset

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// errHookOverran is the cause of a hook that did not return before its deadline.
var errHookOverran = errors.New("did not return before its deadline")

// hookChain calls hooks one after the other, beside the member's goroutine. A hook
// that overruns its deadline no longer holds up the next one.
type hookChain struct {
	last   chan struct{} // closed when the last hook is over; nil before the first
	failed func(name string, cause error)
}

// call runs the hook after the earlier ones and returns a channel that is closed
// when it is over: returned, or overrun. The deadline holds for the wait too.
func (h *hookChain) call(name string, limit time.Duration, fn func(context.Context) error) <-chan struct{} {
	over, before := make(chan struct{}), h.last
	h.last = over
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, errHookOverran)
	go func() {
		defer close(over)
		defer cancel()
		if before != nil {
			select {
			case <-before:
			case <-ctx.Done():
				h.failed(name, fmt.Errorf("wait for the hook before: %w", context.Cause(ctx)))
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
		}
	}()
	return over
}

// protect turns a panic of user code into an error with its stack.
func protect(ctx context.Context, fn func(context.Context) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return fn(ctx)
}
