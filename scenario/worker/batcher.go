package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/processor"
)

// batcher is the batch processor of one assignment: a copier whose units are
// batches. A message that fails ends its batch, with FailedAt or, when Whole is
// set, as a whole.
type batcher struct {
	copier

	units int64 // batches so far
}

// ProcessBatch implements processor.BatchProcessor.
func (b *batcher) ProcessBatch(ctx context.Context, batch *processor.Batch) error {
	b.units++
	var runs []kafkatest.Run
	ended := false
	defer func() {
		if !ended { // a panic
			b.end(runs, kafkatest.OutcomeFailed)
		}
	}()
	for i, m := range batch.Messages {
		id, err := strconv.ParseInt(string(m.Key), 10, 64)
		if err != nil {
			ended = true
			b.end(runs, kafkatest.OutcomeFailed)
			return processor.DeadLetter(fmt.Errorf("read id: %w", err))
		}
		run := kafkatest.Run{
			Member: b.w.set.Name, Epoch: b.epoch, ID: id, Attempt: int32(batch.Attempt), Unit: b.units,
			Input: kafkatest.Position{Topic: m.Topic, Partition: m.Partition, Offset: m.Offset},
		}
		b.w.journal.Start(run)
		runs = append(runs, run)
		if err := b.run(ctx, m, id); err != nil {
			ended = true
			return b.fail(ctx, runs, i, err)
		}
	}
	ended = true
	b.end(runs, kafkatest.OutcomeOK)
	return nil
}

// fail ends a batch at message i.
func (b *batcher) fail(ctx context.Context, runs []kafkatest.Run, i int, err error) error {
	if b.w.set.Whole || ctx.Err() != nil {
		b.end(runs, outcome(ctx, err))
		return err
	}
	b.end(runs[:i], kafkatest.OutcomeOK)
	b.end(runs[i:], outcome(ctx, err))
	return processor.FailedAt(i, err)
}

func (b *batcher) end(runs []kafkatest.Run, o kafkatest.Outcome) {
	for _, r := range runs {
		b.w.journal.End(r, o)
	}
}
