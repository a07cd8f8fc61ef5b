package processor

import (
	"context"
	"errors"
	"fmt"
)

// ErrUnresolved is what a PerPartition processor answers when it is called
// itself instead of the value that ForPartition makes from it. It stops the
// runner. The usual cause is a middleware that was put around it by hand: use
// Wrap, which is applied to every value that is made.
var ErrUnresolved = errors.New("process message: a PerPartition processor was called without ForPartition; put middleware around it with processor.Wrap")

// PerPartition makes one processor for each assignment of a partition, so that
// it can keep state without locks: one goroutine at a time calls it. When the
// partition is given up and assigned again, newFunc is called again, and the
// state of the old value is gone. A value lives in memory, so keep no state in
// it that the messages cannot build again.
//
// Hooks (Setuper and so on) of the values that newFunc makes are not called: put
// what is shared by all partitions outside, and let newFunc refer to it.
func PerPartition(newFunc func(Partition) Processor) Processor {
	return &partitionFactory{factory[Processor]{newFunc}}
}

// BatchPerPartition is PerPartition for batches.
func BatchPerPartition(newFunc func(Partition) BatchProcessor) BatchProcessor {
	return &batchPartitionFactory{factory[BatchProcessor]{newFunc}}
}

// ForPartition returns the processor that handles the partition during one
// assignment: it follows ByTopic, calls the function of PerPartition and puts
// the middleware of Wrap around what that made, however they are nested. Any
// other processor is returned as it is. Runners call it once per assignment,
// test kits once per partition.
func ForPartition(p Processor, part Partition) Processor {
	if r, changed := resolve(p, part); changed {
		if r == nil {
			return Func(func(context.Context, *Message) error { return nothingMade(part) })
		}
		return r
	}
	return p
}

// BatchForPartition is ForPartition for batches.
func BatchForPartition(p BatchProcessor, part Partition) BatchProcessor {
	if r, changed := resolve(p, part); changed {
		if r == nil {
			return BatchFunc(func(context.Context, *Batch) error { return nothingMade(part) })
		}
		return r
	}
	return p
}

func nothingMade(part Partition) error {
	return Stop(fmt.Errorf("process message: the function of PerPartition returned nil for %s [%d]",
		part.Topic, part.Partition))
}

// resolver is a building block that stands for another processor in one
// partition. The result false means: use the block itself.
type resolver[P any] interface {
	resolve(part Partition) (P, bool)
}

func resolve[P any](p P, part Partition) (P, bool) {
	if r, ok := any(p).(resolver[P]); ok {
		return r.resolve(part)
	}
	return p, false
}

type factory[P any] struct{ newFunc func(Partition) P }

func (f factory[P]) resolve(part Partition) (P, bool) {
	p, _ := resolve(f.newFunc(part), part)
	return p, true
}

type partitionFactory struct{ factory[Processor] }

// Process implements Processor.
func (*partitionFactory) Process(context.Context, *Message) error { return Stop(ErrUnresolved) }

type batchPartitionFactory struct{ factory[BatchProcessor] }

// ProcessBatch implements BatchProcessor.
func (*batchPartitionFactory) ProcessBatch(context.Context, *Batch) error {
	return Stop(ErrUnresolved)
}
