package processor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ByTopic sends each message to the processor of its topic. The map is copied;
// an entry without a processor counts as missing.
//
// A message of a topic without an entry is a mistake in the configuration, not
// in the message: it stops the runner with an *UnroutedTopicError that lists
// the topics of the map, and nothing is committed past it. This also meets a
// topic that is created later and matches a "^pattern".
func ByTopic(routes map[string]Processor) Processor {
	return &topicRouter{newRoutes(routes)}
}

// BatchByTopic is ByTopic for batches.
func BatchByTopic(routes map[string]BatchProcessor) BatchProcessor {
	return &batchTopicRouter{newRoutes(routes)}
}

// UnroutedTopicError is what ByTopic answers for a topic that it has no
// processor for. Its class is stop.
type UnroutedTopicError struct {
	// Topic is the message's topic, Routes the topics that have a processor, in
	// alphabetical order.
	Topic  string
	Routes []string
}

// Error implements error.
func (e *UnroutedTopicError) Error() string {
	return fmt.Sprintf("route message: no processor for topic %q; there are processors for: %s",
		e.Topic, strings.Join(e.Routes, ", "))
}

// Class implements Classified.
func (e *UnroutedTopicError) Class() Class { return ClassStop }

type topicRouter struct{ routes[Processor] }

// Process implements Processor.
func (r *topicRouter) Process(ctx context.Context, m *Message) error {
	p, ok := r.byTopic[m.Topic]
	if !ok {
		return r.unrouted(m.Topic)
	}
	return p.Process(ctx, m)
}

type batchTopicRouter struct{ routes[BatchProcessor] }

// ProcessBatch implements BatchProcessor.
func (r *batchTopicRouter) ProcessBatch(ctx context.Context, b *Batch) error {
	p, ok := r.byTopic[b.Topic]
	if !ok {
		return r.unrouted(b.Topic)
	}
	return p.ProcessBatch(ctx, b)
}

// routes is what both routers share; P is Processor or BatchProcessor.
type routes[P any] struct{ byTopic map[string]P }

func newRoutes[P any](in map[string]P) routes[P] {
	out := maps.Clone(in)
	maps.DeleteFunc(out, func(_ string, p P) bool { return any(p) == nil })
	return routes[P]{out}
}

func (r *routes[P]) topics() []string { return slices.Sorted(maps.Keys(r.byTopic)) }

func (r *routes[P]) unrouted(topic string) error {
	return &UnroutedTopicError{Topic: topic, Routes: r.topics()}
}

func (r *routes[P]) resolve(part Partition) (P, bool) {
	p, ok := r.byTopic[part.Topic]
	if !ok {
		return p, false
	}
	p, _ = resolve(p, part)
	return p, true
}

func (r *routes[P]) children() []child {
	var out []child
	for _, topic := range r.topics() {
		out = append(out, child{value: r.byTopic[topic], topic: topic})
	}
	return out
}
