package lane

import (
	"context"
	"slices"
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

// execute runs the processor on the head of the window.
func (l *Lane) execute() {
	if l.slot && l.cfg.Slots.Contended() {
		l.freeSlot()
	}
	if !l.slot {
		if l.cfg.Slots.Acquire(l.startCtx) != nil {
			return // drained, stopped or fenced meanwhile: plan again
		}
		l.slot = true
	}
	u := l.begin()
	if u == nil {
		return
	}
	err := l.call(u)
	att := u.run.close()
	l.finish(u, att, err)
}

// begin takes the head, unless the lane may not start anything any more.
func (l *Lane) begin() *unit {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.draining || l.stopping || l.win.anyFailed || l.holds.Held() || l.win.head() == nil {
		return nil
	}
	u := l.win.start()
	if u.run == nil || u.run.sender != nil { // its first run has one from the slab
		u.run = &run{}
	}
	u.run.sender = l.cfg.Sender
	u.own()
	u.notBefore = time.Time{}
	l.current = u
	l.runSeq++
	return u
}

// call runs user code. A panic comes back as an error.
func (l *Lane) call(u *unit) error {
	ctx := l.ctx
	if l.cfg.AttemptTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.cfg.AttemptTimeout)
		defer cancel()
	}
	attempt := u.attempt()
	if l.cfg.BatchProcessor == nil {
		m := u.msgs[0]
		m.Bind(u.run, 0, attempt)
		return processor.Call(ctx, l.cfg.Processor, m)
	}
	for i, m := range u.msgs {
		m.Bind(u.run, i, attempt)
	}
	return processor.CallBatch(ctx, l.cfg.BatchProcessor, &processor.Batch{
		Topic: u.msgs[0].Topic, Partition: u.msgs[0].Partition, Attempt: attempt,
		Messages: slices.Clone(u.msgs), // the processor may sort or cut its own
	})
}
