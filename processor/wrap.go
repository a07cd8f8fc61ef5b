package processor

import (
	"context"
	"slices"
)

// Middleware puts something around a processor: logging, tracing, a filter.
// Return the error of the inner processor as it is, or wrapped with %w, so that
// its outcome stays readable.
type Middleware func(inner Processor) Processor

// BatchMiddleware is Middleware for batches.
type BatchMiddleware func(inner BatchProcessor) BatchProcessor

// Wrap puts middleware around a processor; the first is the outermost. Hooks of
// p and of the middleware's own values are found. Where p makes its values per
// assignment (PerPartition, also behind ByTopic), the middleware is applied to
// each of these.
func Wrap(p Processor, mw ...Middleware) Processor {
	if len(mw) == 0 {
		return p
	}
	outer := p
	for _, m := range slices.Backward(mw) {
		outer = m(outer)
	}
	return &wrapped{outer: outer, inner: p, middleware: mw}
}

// WrapBatch is Wrap for batches.
func WrapBatch(p BatchProcessor, mw ...BatchMiddleware) BatchProcessor {
	if len(mw) == 0 {
		return p
	}
	outer := p
	for _, m := range slices.Backward(mw) {
		outer = m(outer)
	}
	return &batchWrapped{outer: outer, inner: p, middleware: mw}
}

type wrapped struct {
	outer, inner Processor
	middleware   []Middleware
}

// Process implements Processor.
func (w *wrapped) Process(ctx context.Context, m *Message) error { return w.outer.Process(ctx, m) }

func (w *wrapped) resolve(part Partition) (Processor, bool) {
	p, changed := resolve(w.inner, part)
	if !changed || p == nil {
		return p, changed
	}
	return Wrap(p, w.middleware...), true
}

func (w *wrapped) children() []child { return []child{{value: w.outer}, {value: w.inner}} }

type batchWrapped struct {
	outer, inner BatchProcessor
	middleware   []BatchMiddleware
}

// ProcessBatch implements BatchProcessor.
func (w *batchWrapped) ProcessBatch(ctx context.Context, b *Batch) error {
	return w.outer.ProcessBatch(ctx, b)
}

func (w *batchWrapped) resolve(part Partition) (BatchProcessor, bool) {
	p, changed := resolve(w.inner, part)
	if !changed || p == nil {
		return p, changed
	}
	return WrapBatch(p, w.middleware...), true
}

func (w *batchWrapped) children() []child { return []child{{value: w.outer}, {value: w.inner}} }
