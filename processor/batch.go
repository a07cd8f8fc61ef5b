package processor

import "context"

// Batch is what a BatchProcessor receives: one or more messages of one
// partition, in offset order. Offsets may have gaps.
type Batch struct {
	Topic     string
	Partition int32
	// Messages are at least one. Messages[i].Send sends on behalf of
	// message i, which is what FailedAt settles by.
	Messages []*Message
	// Attempt counts the runs of this batch, 1 first.
	Attempt int
}

// Processor handles one message at a time. One value is called by all
// partitions concurrently, unless it was made by PerPartition.
type Processor interface {
	// Process handles the message. ctx ends when the assignment is fenced, the
	// attempt's time limit ends, or shutdown stops waiting.
	Process(ctx context.Context, m *Message) error
}

// BatchProcessor handles several messages of one partition at a time. One value
// is called by all partitions concurrently.
type BatchProcessor interface {
	// ProcessBatch handles the batch as a whole. To say that only a part
	// failed, return FailedAt.
	ProcessBatch(ctx context.Context, b *Batch) error
}
