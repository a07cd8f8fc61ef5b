package processor

import "context"

// Func adapts a function to a Processor. Partitions call it concurrently.
type Func func(ctx context.Context, m *Message) error

// Process implements Processor.
func (f Func) Process(ctx context.Context, m *Message) error { return f(ctx, m) }

// BatchFunc adapts a function to a BatchProcessor. Partitions call it
// concurrently.
type BatchFunc func(ctx context.Context, b *Batch) error

// ProcessBatch implements BatchProcessor.
func (f BatchFunc) ProcessBatch(ctx context.Context, b *Batch) error { return f(ctx, b) }
