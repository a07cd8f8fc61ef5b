package lane_test

import (
	"context"
	"testing"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// endless is a feed that is never empty up to a number of messages. Its slab is
// used again, which is right here alone: nothing is retained and everything has
// settled before the next read.
type endless struct {
	slab   []processor.Message
	next   int64
	end    int64
	wakeCh chan struct{}
}

// Read implements lane.Feed.
func (f *endless) Read(limit int) (msgs []processor.Message, more bool, err error) {
	n := min(int64(limit), f.end-f.next)
	for i := range f.slab[:n] {
		f.slab[i].Offset = f.next
		f.next++
	}
	return f.slab[:n], f.next < f.end, nil
}

// Wake implements lane.Feed.
func (f *endless) Wake() <-chan struct{} { return f.wakeCh }

// measure runs b.N messages of 100 bytes through a lane.
func measure(b *testing.B, cfg lane.Config) {
	b.Helper()
	f := &endless{slab: make([]processor.Message, 1000), end: int64(b.N), wakeCh: make(chan struct{}, 1)}
	value := make([]byte, 100)
	for i := range f.slab {
		f.slab[i] = processor.Message{Topic: "uploads", Value: value}
	}
	cfg.Source, cfg.Feed, cfg.Slots = source, f, newSlots(1)
	cfg.Policy = &policy{decide: patient}
	done := make(chan struct{})
	last := int64(b.N) - 1
	if p := cfg.BatchProcessor; p != nil {
		cfg.BatchProcessor = processor.BatchFunc(func(ctx context.Context, batch *processor.Batch) error {
			err := p.ProcessBatch(ctx, batch)
			if batch.Messages[len(batch.Messages)-1].Offset == last {
				close(done)
			}
			return err
		})
	} else {
		p := cfg.Processor
		cfg.Processor = processor.Func(func(ctx context.Context, m *processor.Message) error {
			err := p.Process(ctx, m)
			if m.Offset == last {
				close(done)
			}
			return err
		})
	}
	l := lane.New(cfg)
	b.ReportAllocs()
	b.ResetTimer()
	go l.Run()
	<-done
	l.Stop()
	<-l.Done()
	b.StopTimer()
	if got := l.Position(); got != int64(b.N) {
		b.Errorf("position = %d, want %d", got, b.N)
	}
}

func BenchmarkMessages(b *testing.B) {
	measure(b, lane.Config{
		Processor: processor.Func(func(context.Context, *processor.Message) error { return nil }),
	})
}

func BenchmarkBatches(b *testing.B) {
	measure(b, lane.Config{
		BatchProcessor: processor.BatchFunc(func(context.Context, *processor.Batch) error { return nil }),
	})
}

// acked is a sender and an attempt whose records are acknowledged at once.
type acked struct{}

// Begin implements lane.Sender.
func (acked) Begin() lane.Attempt { return acked{} }

// Send implements lane.Attempt.
func (acked) Send(context.Context, int, processor.Record) error { return nil }

// End implements lane.Attempt.
func (acked) End(done func()) { done() }

// Err implements lane.Attempt.
func (acked) Err() error { return nil }

// FailedIndex implements lane.Attempt.
func (acked) FailedIndex() int { return -1 }

func BenchmarkMessagesThatSend(b *testing.B) {
	record := processor.Record{Topic: "thumbnails", Value: make([]byte, 100)}
	measure(b, lane.Config{
		Sender:    acked{},
		Processor: processor.Func(func(ctx context.Context, m *processor.Message) error { return m.Send(ctx, record) }),
	})
}
