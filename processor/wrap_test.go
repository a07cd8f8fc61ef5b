package processor_test

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/pitlane-go/pitlane/processor"
)

// tag is a middleware that notes its name before the inner processor runs.
func tag(log *[]string, name string) processor.Middleware {
	return func(inner processor.Processor) processor.Processor {
		return processor.Func(func(ctx context.Context, m *processor.Message) error {
			*log = append(*log, name)
			return inner.Process(ctx, m)
		})
	}
}

func TestWrapPutsTheFirstOutermost(t *testing.T) {
	var log []string
	p := processor.Wrap(named(&log, "inner"), tag(&log, "first"), tag(&log, "second"))
	if err := p.Process(t.Context(), message("a", 0, 0, "")); err != nil {
		t.Fatal(err)
	}
	if want := []string{"first", "second", "inner"}; !slices.Equal(log, want) {
		t.Errorf("order %v, want %v", log, want)
	}
}

func TestWrapIsAppliedToEachValueThatPerPartitionMakes(t *testing.T) {
	var log []string
	p := processor.Wrap(processor.ByTopic(map[string]processor.Processor{
		"a": processor.PerPartition(func(part processor.Partition) processor.Processor {
			return named(&log, strconv.Itoa(int(part.Partition)))
		}),
	}), tag(&log, "mw"))
	for i := range int32(2) {
		q := processor.ForPartition(p, partition("a", i))
		if err := q.Process(t.Context(), message("a", i, 0, "")); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"mw", "0", "mw", "1"}; !slices.Equal(log, want) {
		t.Errorf("order %v, want %v", log, want)
	}
}

func TestWrapSeesMessagesOfUnknownTopics(t *testing.T) {
	var log []string
	p := processor.Wrap(processor.ByTopic(nil), tag(&log, "mw"))
	err := processor.ForPartition(p, partition("a", 0)).Process(t.Context(), message("a", 0, 0, ""))
	if err == nil || !slices.Equal(log, []string{"mw"}) {
		t.Errorf("error %v, middleware %v", err, log)
	}
}

func TestWrapWithoutMiddlewareIsTheProcessorItself(t *testing.T) {
	p := &hooked{}
	if processor.Wrap(p) != processor.Processor(p) {
		t.Error("another value came back")
	}
}
