package kafkatest_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
)

// million is the history of a correct run of n messages on six partitions, with
// a commit every thousand messages.
func million(n int64) *kafkatest.History {
	h := kafkatest.NewHistory()
	now := time.Unix(1_800_000_000, 0)
	add := func(e kafkatest.Event) {
		now = now.Add(time.Microsecond)
		e.At = now
		h.Add(e)
	}
	const parts = 6
	at := func(i int64) kafkatest.Position {
		return kafkatest.Position{Topic: "in", Partition: int32(i % parts), Offset: i / parts}
	}
	for p := range int32(parts) {
		add(kafkatest.Event{Kind: kafkatest.KindAssigned, Member: "a", Epoch: 1, Input: kafkatest.Position{Topic: "in", Partition: p}})
	}
	for i := range n {
		add(kafkatest.Event{Kind: kafkatest.KindProduced, ID: i + 1, Input: at(i)})
	}
	for i := range n {
		run := kafkatest.Event{Kind: kafkatest.KindStart, Member: "a", Epoch: 1, Input: at(i), ID: i + 1, Attempt: 1}
		add(run)
		run.Kind, run.Outcome = kafkatest.KindEnd, kafkatest.OutcomeOK
		add(run)
		out := at(i)
		out.Topic = "out"
		add(kafkatest.Event{Kind: kafkatest.KindOutput, ID: i + 1, Input: kafkatest.Position{Offset: kafkatest.Unknown}, Output: out})
		if i%1000 == 0 {
			commit := at(i)
			commit.Offset++
			now = now.Add(10 * time.Millisecond)
			add(kafkatest.Event{Kind: kafkatest.KindCommitted, Group: "g", Input: commit, LogPosition: i})
		}
	}
	return h
}

func BenchmarkCheck(b *testing.B) {
	h := million(1_000_000)
	runtime.GC()
	for b.Loop() {
		if err := kafkatest.Check(h, kafkatest.Options{}).Err(); err != nil {
			b.Fatal(err)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys>>20), "MiB-process")
}

func BenchmarkCompare(b *testing.B) {
	var in, out kafkatest.Stream
	for i := range int64(1_000_000) {
		in.Add(int32(i%6), i+1)
		out.Add(int32(i%6), i+1)
	}
	for b.Loop() {
		if err := kafkatest.Compare(&in, &out).Err(0); err != nil {
			b.Fatal(err)
		}
	}
}

// The sizes of real runs must stay practical: a second or two, and memory far
// below a GiB for a million messages.
func TestCheckTakesLittleTimeAndMemory(t *testing.T) {
	const n = 100_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	h := million(n)
	if err := kafkatest.Check(h, kafkatest.Options{Duplicates: kafkatest.DuplicatesNone}).Err(); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	// All that was allocated, garbage included: an upper bound of what was needed.
	if perMessage := (after.TotalAlloc - before.TotalAlloc) / n; perMessage > 1000 {
		t.Fatalf("%d bytes per message", perMessage)
	}
}
