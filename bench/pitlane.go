package main

import (
	"context"
	"time"

	"github.com/pitlane-go/pitlane/builtin"
	"github.com/pitlane-go/pitlane/processor"
	"github.com/pitlane-go/pitlane/runner"
)

// config is a runner with its defaults.
func config(do task) runner.Config {
	cfg := runner.Config{
		Brokers: do.Brokers, Group: do.Group, Topics: []runner.Topic{{Name: do.Input}}, Feed: runner.FeedQueue,
	}
	if do.Loop == pollSingle || do.Loop == pollForward {
		cfg.Feed = runner.FeedPoll
	}
	return cfg
}

// noop runs a processor that notes its messages and does nothing else.
func noop(m *meter) error {
	if m.do.Loop == queueBatch {
		return until(m.done, runner.NewBatch(config(m.do), processor.BatchPerPartition(m.batchForPartition)))
	}
	return until(m.done, runner.New(config(m.do), processor.PerPartition(m.forPartition)))
}

func (m *meter) forPartition(p processor.Partition) processor.Processor {
	t := m.parts[p.Partition]
	return processor.Func(func(_ context.Context, msg *processor.Message) error {
		t.note(m.id(msg.Partition, msg.Offset))
		return nil
	})
}

func (m *meter) batchForPartition(p processor.Partition) processor.BatchProcessor {
	t := m.parts[p.Partition]
	return processor.BatchFunc(func(_ context.Context, b *processor.Batch) error {
		for _, msg := range b.Messages {
			t.note(m.id(msg.Partition, msg.Offset))
		}
		return nil
	})
}

// forward runs the stock processor.
func forward(m *meter) error {
	p := builtin.NewForward()
	conf, _ := p.(processor.Configurer).Config().(*builtin.ForwardConfig)
	conf.Topic, conf.KeepPartition = m.do.Output, true
	first := func(inner processor.Processor) processor.Processor {
		return processor.Func(func(ctx context.Context, msg *processor.Message) error {
			if msg.Offset == 0 {
				m.first()
			}
			return inner.Process(ctx, msg)
		})
	}
	r := runner.New(config(m.do), p, runner.WithMiddleware(first))
	go m.awaitAcked(r)
	return until(m.done, r)
}

// until runs a runner until done.
func until(done <-chan struct{}, r *runner.Runner) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-done:
			r.Stop()
		case <-ctx.Done():
		}
	}()
	return r.Run(ctx)
}

// lookEvery is the resolution of the end of a forward.
const lookEvery = 2 * time.Millisecond

// awaitAcked takes the meter's last values when every record is acknowledged.
func (m *meter) awaitAcked(r *runner.Runner) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for range tick.C {
		if r.Status().Delivery.Acked >= int64(m.do.Messages) {
			m.last()
			return
		}
	}
}
