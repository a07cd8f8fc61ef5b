package processor_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/processor"
)

// named is a processor that notes its name.
func named(log *[]string, name string) processor.Processor {
	return processor.Func(func(context.Context, *processor.Message) error {
		*log = append(*log, name)
		return nil
	})
}

func TestByTopicRoutes(t *testing.T) {
	var log []string
	p := processor.ByTopic(map[string]processor.Processor{"a": named(&log, "A"), "b": named(&log, "B")})
	for _, topic := range []string{"b", "a", "b"} {
		if err := p.Process(t.Context(), message(topic, 0, 0, "")); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(log, []string{"B", "A", "B"}) {
		t.Errorf("called %v", log)
	}
}

func TestByTopicStopsAtAnUnknownTopicAndListsTheKnown(t *testing.T) {
	p := processor.ByTopic(map[string]processor.Processor{"b": named(nil, ""), "a": named(nil, ""), "none": nil})
	for _, topic := range []string{"c", "none"} {
		for _, p := range []processor.Processor{p, processor.ForPartition(p, partition(topic, 0))} {
			err := processor.Call(t.Context(), p, message(topic, 0, 0, ""))
			var u *processor.UnroutedTopicError
			if !errors.As(err, &u) || u.Topic != topic || !slices.Equal(u.Routes, []string{"a", "b"}) {
				t.Errorf("topic %s: error %v", topic, err)
			}
			if c := processor.Classify(err).Class; c != processor.ClassStop {
				t.Errorf("topic %s: class %v, want stop", topic, c)
			}
		}
	}
}

func TestByTopicCopiesItsMap(t *testing.T) {
	var log []string
	routes := map[string]processor.Processor{"a": named(&log, "A")}
	p := processor.ByTopic(routes)
	delete(routes, "a")
	if err := p.Process(t.Context(), message("a", 0, 0, "")); err != nil {
		t.Error(err)
	}
}

// counters makes processors that count their messages in a variable of their own.
func counters(made *[]processor.Partition, counts map[processor.Partition]int) func(processor.Partition) processor.Processor {
	return func(part processor.Partition) processor.Processor {
		*made = append(*made, part)
		n := 0
		return processor.Func(func(context.Context, *processor.Message) error {
			n++
			counts[part] = n
			return nil
		})
	}
}

func TestPerPartitionMakesOneValuePerAssignment(t *testing.T) {
	var made []processor.Partition
	counts := map[processor.Partition]int{}
	p := processor.ByTopic(map[string]processor.Processor{
		"a": processor.PerPartition(counters(&made, counts)),
		"b": named(&[]string{}, "B"),
	})
	p0, p1 := partition("a", 0), partition("a", 1)
	first, second := processor.ForPartition(p, p0), processor.ForPartition(p, p1)
	for range 3 {
		_ = first.Process(t.Context(), message("a", 0, 0, ""))
	}
	_ = second.Process(t.Context(), message("a", 1, 0, ""))
	if counts[p0] != 3 || counts[p1] != 1 {
		t.Errorf("counts %v: the partitions share their state", counts)
	}
	again := processor.ForPartition(p, p0)
	_ = again.Process(t.Context(), message("a", 0, 0, ""))
	if counts[p0] != 1 {
		t.Errorf("count %d after a new assignment, want a new value", counts[p0])
	}
	processor.ForPartition(p, partition("b", 0))
	if !slices.Equal(made, []processor.Partition{p0, p1, p0}) {
		t.Errorf("made %v", made)
	}
}

func TestForPartitionResolvesNestedBlocks(t *testing.T) {
	var log []string
	p := processor.PerPartition(func(processor.Partition) processor.Processor {
		return processor.ByTopic(map[string]processor.Processor{
			"a": processor.PerPartition(func(processor.Partition) processor.Processor { return named(&log, "deep") }),
		})
	})
	if err := processor.ForPartition(p, partition("a", 0)).Process(t.Context(), message("a", 0, 0, "")); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(log, []string{"deep"}) {
		t.Errorf("called %v", log)
	}
}

func TestForPartitionReturnsOtherProcessorsAsTheyAre(t *testing.T) {
	p := &hooked{}
	if got := processor.ForPartition(p, partition("a", 0)); got != processor.Processor(p) {
		t.Errorf("ForPartition = %v", got)
	}
}

func TestPerPartitionMistakesStopTheRunner(t *testing.T) {
	nothing := processor.PerPartition(func(processor.Partition) processor.Processor { return nil })
	for name, c := range map[string]struct {
		p    processor.Processor
		text string
	}{
		"called without ForPartition": {nothing, "processor.Wrap"},
		"a nil value":                 {processor.ForPartition(nothing, partition("a", 7)), "nil for a [7]"},
		"a nil value in a wrap":       {processor.ForPartition(processor.Wrap(nothing, tag(new([]string), "x")), partition("a", 7)), "nil for a [7]"},
	} {
		err := processor.Call(t.Context(), c.p, message("a", 7, 0, ""))
		if processor.Classify(err).Class != processor.ClassStop || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBatchBlocksWorkLikeTheSingleOnes(t *testing.T) {
	var made int
	p := processor.WrapBatch(processor.BatchByTopic(map[string]processor.BatchProcessor{
		"a": processor.BatchPerPartition(func(processor.Partition) processor.BatchProcessor {
			made++
			return processor.BatchFunc(func(context.Context, *processor.Batch) error { return errPlain })
		}),
	}), func(inner processor.BatchProcessor) processor.BatchProcessor {
		return processor.BatchFunc(func(ctx context.Context, b *processor.Batch) error {
			return processor.Skip(inner.ProcessBatch(ctx, b))
		})
	})
	q := processor.BatchForPartition(p, partition("a", 0))
	err := processor.CallBatch(t.Context(), q, &processor.Batch{Topic: "a"})
	if made != 1 || !errors.Is(err, errPlain) || processor.Classify(err).Class != processor.ClassSkip {
		t.Errorf("made %d, error %v", made, err)
	}
	for _, p := range []processor.BatchProcessor{p, processor.BatchForPartition(p, partition("z", 0))} {
		err = processor.CallBatch(t.Context(), p, &processor.Batch{Topic: "z"})
		if _, ok := errors.AsType[*processor.UnroutedTopicError](err); !ok {
			t.Errorf("unknown topic: %v", err)
		}
	}
}
