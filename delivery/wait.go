package delivery

import "context"

// Wait lets no further record in and waits until every record has been resolved.
// It returns Err, or the cause of ctx when that ends first; then it may be called
// again. It may be used beside End, before or after it.
func (a *Attempt) Wait(ctx context.Context) error {
	a.mu.Lock()
	a.stop()
	if a.open == 0 {
		a.mu.Unlock()
		return a.Err()
	}
	if a.finished == nil {
		a.finished = make(chan struct{})
	}
	finished := a.finished
	a.mu.Unlock()
	select {
	case <-finished:
		return a.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
