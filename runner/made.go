package runner

import (
	"context"

	"github.com/pitlane-go/pitlane/processor"
)

// made is the processor of one assignment. It is made for the first message, on the
// lane's goroutine: the function of PerPartition is user code, which would hold up
// or end the member if it were called where the assignment comes in. A panic in it
// is a failed attempt, and the next one makes the processor again.
type made struct {
	root  processor.Processor
	part  processor.Partition
	value processor.Processor
}

// Process implements processor.Processor. Only the lane calls it.
func (m *made) Process(ctx context.Context, msg *processor.Message) error {
	if m.value == nil {
		m.value = processor.ForPartition(m.root, m.part)
	}
	return m.value.Process(ctx, msg)
}

// madeBatch is made for batches.
type madeBatch struct {
	root  processor.BatchProcessor
	part  processor.Partition
	value processor.BatchProcessor
}

// ProcessBatch implements processor.BatchProcessor. Only the lane calls it.
func (m *madeBatch) ProcessBatch(ctx context.Context, b *processor.Batch) error {
	if m.value == nil {
		m.value = processor.BatchForPartition(m.root, m.part)
	}
	return m.value.ProcessBatch(ctx, b)
}
