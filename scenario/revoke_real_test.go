package scenario_test

import (
	"slices"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/cluster"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// B22: partitions are taken away in the middle of a batch. A runner that commits
// what the batch has taken in, or its window's end, loses the tail: nobody has
// processed it. One that takes no notice runs the batch to its end beside the new
// owner. With too short a drain the batch is cancelled and none of it is
// committed; the new owner begins with its first message. With time enough it
// ends, and the new owner begins after it.
func TestABatchThatIsRevokedCommitsNoTail(t *testing.T) {
	t.Parallel()
	for i, g := range someGroups(t) {
		t.Run("cancelled/"+g.name, func(t *testing.T) {
			t.Parallel()
			revokeMidBatch(t, g, "200ms")
		})
		if i > 0 && !scale.IsFull(t) {
			continue
		}
		t.Run("let end/"+g.name, func(t *testing.T) {
			t.Parallel()
			revokeMidBatch(t, g, longDrain)
		})
	}
}

// longDrain is long enough for a batch.
const longDrain = "10s"

// revokeMidBatch moves partitions while batches of 2 s run.
func revokeMidBatch(t *testing.T, g group, drain string) {
	t.Helper()
	r := suite.New(t, rig.Config{})
	settings := g.with(rig.Settings{
		"processor.work": "20ms", "processor.stagger": "2ms", "batch.max_messages": 100, "batch.max_wait": "50ms", "rebalance.drain": drain,
	})
	r.Fill(2400)
	first := r.BatchWorker("first", settings)
	first.AwaitRuns(600, time.Minute)
	second := r.BatchWorker("second", settings)
	runsUnderLoad(r, second, 100)
	r.AwaitCommitted(time.Minute)
	stopAll(t, first, second)
	cancelled := cancelledAt(first)
	opts := kafkatest.Options{}
	if drain == longDrain {
		opts.Duplicates = kafkatest.DuplicatesNone
		if len(cancelled) > 0 {
			t.Errorf("batches at %v were cancelled", cancelled)
		}
	} else if len(cancelled) == 0 {
		t.Error("no batch was cancelled: nothing was shown")
	}
	report := r.Check(opts)
	for _, x := range r.CheckTenures() {
		at, ok := cancelled[x.Partition]
		if ok && x.Process == "second" && x.FirstOffset != at {
			t.Errorf("second began %v at %d, it was given back at %d", x.Partition, x.FirstOffset, at)
		}
	}
	t.Logf("cancelled at %v, %d duplicates of at most %d", cancelled, report.Duplicates, report.Bound)
	headsOnly(t, first, cancelled)
}

// cancelledAt returns what was committed of the partitions whose batch was
// cancelled when they were given back.
func cancelledAt(p *rig.Process) map[cluster.Partition]int64 {
	at := map[cluster.Partition]int64{}
	for _, l := range p.Log() {
		if drained, _ := l.Fields["drained"].(bool); l.Message == "partition revoked" && !drained {
			at[cluster.Partition{Topic: l.String("topic"), Partition: int32(l.Int("partition"))}] = l.Int("position")
		}
	}
	return at
}

// headsOnly checks that each position is that of the first message of a batch.
func headsOnly(t *testing.T, p *rig.Process, positions map[cluster.Partition]int64) {
	t.Helper()
	heads := p.UnitHeads()
	for partition, at := range positions {
		if !slices.Contains(heads[partition], at) {
			t.Errorf("%v was given back at %d, in the middle of a batch", partition, at)
		}
	}
}
