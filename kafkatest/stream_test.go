package kafkatest_test

import (
	"testing"

	"github.com/pitlane-go/pitlane/kafkatest"
)

func stream(parts ...[]int64) *kafkatest.Stream {
	var s kafkatest.Stream
	for p, ids := range parts {
		for _, id := range ids {
			s.Add(int32(p), id)
		}
	}
	return &s
}

func TestCompareJudgesSetsAndOrder(t *testing.T) {
	input := stream([]int64{1, 2, 3}, []int64{11, 12, 13})
	for name, c := range map[string]struct {
		out                                      *kafkatest.Stream
		missing, unexpected, duplicates, reorder int
	}{
		"a copy":                     {out: stream([]int64{1, 2, 3}, []int64{11, 12, 13})},
		"one partition for all":      {out: stream([]int64{11, 1, 2, 12, 13, 3})},
		"a lost message":             {out: stream([]int64{1, 3}, []int64{11, 12, 13}), missing: 1},
		"a stranger":                 {out: stream([]int64{1, 2, 3, 99}, []int64{11, 12, 13}), unexpected: 1},
		"a window that ran again":    {out: stream([]int64{1, 2, 3, 2, 3}, []int64{11, 12, 13}), duplicates: 2},
		"a message that ran again":   {out: stream([]int64{1, 2, 3, 2}, []int64{11, 12, 13}), duplicates: 1, reorder: 1},
		"two that changed places":    {out: stream([]int64{2, 1, 3}, []int64{11, 12, 13}), reorder: 1},
		"a copy in another place":    {out: stream([]int64{1, 2, 3}, []int64{11, 12, 13, 1}), duplicates: 1},
		"a disorder of copies":       {out: stream([]int64{1, 2, 3}, []int64{11, 12, 13, 2, 1}), duplicates: 2, reorder: 1},
		"nothing":                    {out: stream(), missing: 6},
		"an early copy of a message": {out: stream([]int64{3, 1, 2, 3}, []int64{11, 12, 13}), duplicates: 1},
	} {
		t.Run(name, func(t *testing.T) {
			d := kafkatest.Compare(input, c.out)
			if d.Missing != c.missing || d.Unexpected != c.unexpected || d.Duplicates != c.duplicates || d.OutOfOrder != c.reorder {
				t.Fatalf("got %s: %v", d, d.Err(0))
			}
			good := c.missing+c.unexpected+c.reorder == 0
			if (d.Err(-1) == nil) != good || (d.Err(0) == nil) != (good && c.duplicates == 0) {
				t.Fatalf("errors %v and %v", d.Err(-1), d.Err(0))
			}
		})
	}
}

func TestCompareNamesRepeatedInputs(t *testing.T) {
	if d := kafkatest.Compare(stream([]int64{1, 1}), stream([]int64{1})); d.Repeated != 1 || d.Err(-1) == nil {
		t.Fatalf("got %s", d)
	}
}

func TestCompareTakesSparseIDs(t *testing.T) {
	in, out := stream([]int64{1, 1 << 60, 7}), stream([]int64{1, 1 << 60, 7})
	if err := kafkatest.Compare(in, out).Err(0); err != nil {
		t.Fatal(err)
	}
}
