package runner

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/processor"
)

const (
	// teardownReserve is kept of the deadline for Teardown and the return.
	teardownReserve = 1500 * time.Millisecond
	// flushLimit bounds the wait for reports that no lane waits for any more: of
	// attempts that failed or were fenced.
	flushLimit = time.Second
)

var (
	errDrainOver = errors.New("shutdown.drain is over")
	errAbandoned = errors.New("a client did not close in time and was left alone")
)

// shutdown stops in order: drain, deliver, commit, close. cause is what ended the
// run, nil if it was asked to.
func (r *Runner) shutdown(ctx context.Context, cause error, setDone <-chan error) error {
	deadline := time.Now().Add(r.cfg.Shutdown.Deadline)
	reason := "asked to"
	if cause != nil {
		reason = cause.Error()
	}
	r.state.move(StateDraining, reason)
	r.drain(ctx)
	closeCtx, cancel := context.WithDeadline(ctx, deadline.Add(-teardownReserve))
	defer cancel()
	produced := make(chan error, 1) // nobody may wait for it any more
	go func() {
		flushCtx, cancel := context.WithTimeout(closeCtx, flushLimit)
		defer cancel()
		produced <- r.producer.Close(flushCtx)
	}()
	result := r.set.Close(closeCtx)
	_, ran := await(closeCtx, setDone) // its error came by Failed
	_, _ = await(closeCtx, produced)   // for records that no lane waits for
	returned := r.awaitLanes(closeCtx)
	return errors.Join(cause, r.left(cause, result, ran && returned), r.teardown(ctx, deadline))
}

// drain waits until nothing runs and everything is committed, the time for it is
// over, or somebody cancels.
func (r *Runner) drain(ctx context.Context) {
	ctx, stop := context.WithTimeoutCause(ctx, r.cfg.Shutdown.Drain, errDrainOver)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	drained := make(chan struct{})
	go func() {
		select {
		case <-r.cancelCh:
			cancel(ErrCancelled)
		case <-drained:
		}
	}()
	_ = r.set.Drain(ctx) // what is left over is in the result of Close
	close(drained)
}

// await waits for a result until ctx ends and tells whether it came.
func await[T any](ctx context.Context, ch <-chan T) (result T, came bool) {
	select {
	case result = <-ch:
		return result, true
	case <-ctx.Done():
		return result, false
	}
}

// awaitLanes waits for every lane to return, those of earlier assignments too.
func (r *Runner) awaitLanes(ctx context.Context) bool {
	for _, l := range r.lanes.all() {
		select {
		case <-l.Done():
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// left says what a stop left behind, nil for nothing. cause is what ended the run: a
// member's failure that came later is told here.
func (r *Runner) left(cause error, result consumerset.Result, complete bool) error {
	var e UnfinishedError
	for _, m := range result.Members {
		e.Running = append(e.Running, partitions(m.Unfinished)...)
		e.Uncommitted = append(e.Uncommitted, partitions(m.Uncommitted)...)
		if cause == nil && m.Err != nil {
			e.Cause = errors.Join(e.Cause, m.Err)
		}
		if m.CommitPending {
			e.Cause = errors.Join(e.Cause, errors.New("a commit has no answer"))
		}
	}
	if !complete {
		for _, l := range r.lanes.all() {
			e.Running = appendNew(e.Running, l.Source().Partition)
		}
		if len(e.Running) == 0 {
			e.Cause = errors.Join(e.Cause, errAbandoned)
		}
	}
	if len(e.Running) == 0 && len(e.Uncommitted) == 0 && e.Cause == nil {
		return nil
	}
	return &e
}

func partitions(list []consumerset.PartitionResult) []processor.Partition {
	out := make([]processor.Partition, len(list))
	for i, p := range list {
		out[i] = p.Partition
	}
	return out
}

func appendNew(list []processor.Partition, p processor.Partition) []processor.Partition {
	if slices.Contains(list, p) {
		return list
	}
	return append(list, p)
}

// teardown calls the processor's Teardown inside the deadline. One that does not
// return is left alone.
func (r *Runner) teardown(ctx context.Context, deadline time.Time) error {
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- r.hooks.Teardown(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errors.New("tear down: not done at shutdown.deadline")
	}
}
