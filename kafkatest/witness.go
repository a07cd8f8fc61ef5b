package kafkatest

import (
	"context"
	"sync"

	"github.com/pitlane-go/pitlane/processor"
)

// Notebook takes events: a History or a Journal.
type Notebook interface {
	Add(e Event)
}

// Witness notes the runs of a processor: assignments, starts, ends, and what the
// group takes back. One Witness serves one member (or one process, whose members
// it cannot tell apart).
//
// An assignment epoch begins when the runner asks for the partition's value
// (processor.ForPartition), which is before the first message of the assignment.
// What only the runner knows, it does not see: failed deliveries (note them with
// Failed) and messages that a policy skipped (Skipped).
type Witness struct {
	to     notes
	member string
	id     func(*processor.Message) int64

	mu     sync.Mutex
	epochs map[processor.Partition]int32
	units  int64
}

// NewWitness returns a witness that writes under a member's name, which must be
// new for each process. id finds a message's id; nil leaves it to the position.
func NewWitness(to Notebook, member string, id func(*processor.Message) int64) *Witness {
	if id == nil {
		id = func(*processor.Message) int64 { return 0 }
	}
	return &Witness{to: notes{to.Add}, member: member, id: id, epochs: map[processor.Partition]int32{}}
}

// Process returns p with its runs noted.
func (w *Witness) Process(p processor.Processor) processor.Processor {
	perPartition := processor.PerPartition(func(at processor.Partition) processor.Processor {
		inner, epoch := processor.ForPartition(p, at), w.assigned(at)
		return processor.Func(func(ctx context.Context, m *processor.Message) error {
			run := w.run(m, epoch)
			w.to.Start(run)
			err := processor.Call(ctx, inner, m)
			w.to.End(run, outcomeOf(ctx, err))
			return err
		})
	})
	return processor.Wrap(perPartition, func(inner processor.Processor) processor.Processor {
		return &observed{Processor: inner, watcher: watcher{w}, hooks: p}
	})
}

// ProcessBatch returns p with its runs noted, each batch as one unit.
func (w *Witness) ProcessBatch(p processor.BatchProcessor) processor.BatchProcessor {
	perPartition := processor.BatchPerPartition(func(at processor.Partition) processor.BatchProcessor {
		inner, epoch := processor.BatchForPartition(p, at), w.assigned(at)
		return processor.BatchFunc(func(ctx context.Context, b *processor.Batch) error {
			return w.batch(ctx, inner, b, epoch)
		})
	})
	return processor.WrapBatch(perPartition, func(inner processor.BatchProcessor) processor.BatchProcessor {
		return &observedBatch{BatchProcessor: inner, watcher: watcher{w}, hooks: p}
	})
}

func (w *Witness) batch(ctx context.Context, p processor.BatchProcessor, b *processor.Batch, epoch int32) error {
	unit := w.nextUnit()
	runs := make([]Run, len(b.Messages))
	for i, m := range b.Messages {
		runs[i] = w.run(m, epoch)
		runs[i].Unit = unit
		w.to.Start(runs[i])
	}
	err := processor.CallBatch(ctx, p, b)
	settled := 0
	if at := processor.Classify(err).FailedAt; at >= 0 && at < len(runs) {
		settled = at
	}
	for i, run := range runs {
		if i < settled {
			w.to.End(run, OutcomeOK)
		} else {
			w.to.End(run, outcomeOf(ctx, err))
		}
	}
	return err
}

func outcomeOf(ctx context.Context, err error) Outcome {
	switch {
	case err == nil:
		return OutcomeOK
	case processor.Classify(err).Class == processor.ClassSkip:
		return OutcomeSkipped
	case ctx.Err() != nil:
		return OutcomeCancelled
	}
	return OutcomeFailed
}

func (w *Witness) run(m *processor.Message, epoch int32) Run {
	return Run{
		Member: w.member, Epoch: epoch, Input: Position{m.Topic, m.Partition, m.Offset},
		ID: w.id(m), Key: string(m.Key), Attempt: int32(m.Attempt),
	}
}

func (w *Witness) nextUnit() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.units++
	return w.units
}

func (w *Witness) assigned(at processor.Partition) int32 {
	w.mu.Lock()
	w.epochs[at]++
	epoch := w.epochs[at]
	w.mu.Unlock()
	w.to.Assigned(w.member, epoch, at.Topic, at.Partition)
	return epoch
}

func (w *Witness) gone(kind Kind, parts []processor.Partition) {
	for _, at := range parts {
		w.mu.Lock()
		epoch := w.epochs[at]
		w.mu.Unlock()
		if epoch > 0 {
			w.to.owner(kind, w.member, epoch, Position{at.Topic, at.Partition, Unknown})
		}
	}
}

// watcher is the hooks of a witness.
type watcher struct{ w *Witness }

// OnRevoked notes what is taken back.
func (x watcher) OnRevoked(_ context.Context, parts []processor.Partition) {
	x.w.gone(KindRevoked, parts)
}

// OnLost notes what is lost.
func (x watcher) OnLost(_ context.Context, parts []processor.Partition) {
	x.w.gone(KindLost, parts)
}

// observed shows the hooks of the witness and, with Unwrap, those of the
// processor, which PerPartition hides.
type observed struct {
	processor.Processor
	watcher
	hooks processor.Processor
}

// Unwrap returns the processor that is watched.
func (o *observed) Unwrap() processor.Processor { return o.hooks }

type observedBatch struct {
	processor.BatchProcessor
	watcher
	hooks processor.BatchProcessor
}

// Unwrap returns the processor that is watched.
func (o *observedBatch) Unwrap() processor.BatchProcessor { return o.hooks }
