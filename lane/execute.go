package lane

import (
	"context"
	"slices"
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

// execute runs the processor on a unit that is started, or on the head of the
// window, and on those after it as long as nothing has to be planned.
func (l *Lane) execute(u *unit) {
	if u == nil {
		u = l.begin()
	}
	for u != nil {
		err := l.call(u)
		att := u.run.close()
		if err != nil || att != nil {
			l.finish(u, att, err)
			return
		}
		u = l.settleAndGoOn(u)
	}
}

// begin takes a slot and the head, unless the lane may not start anything any
// more.
func (l *Lane) begin() *unit {
	if l.slot && l.cfg.Slots.Contended() {
		l.freeSlot()
	}
	if !l.slot {
		if l.cfg.Slots.Acquire(l.startCtx) != nil {
			return nil // drained, stopped or fenced meanwhile: plan again
		}
		l.slot = true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.draining || l.stopping || l.win.anyFailed || l.holds.Held() || l.win.head() == nil {
		return nil
	}
	return l.start()
}

// start starts the head. Under mu.
func (l *Lane) start() *unit {
	u := l.win.start()
	if u.run == nil || u.run.sender != nil { // its first run has one from the slab
		u.run = &run{}
	}
	u.run.sender = l.cfg.Sender
	u.own()
	if u.past != nil {
		u.past.notBefore = time.Time{}
	}
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
