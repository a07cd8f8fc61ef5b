package rig

import (
	"context"
	"fmt"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/cluster"
)

// Work is what a process's journal says of its runs. The process has a name of
// its own: members that share a journal share its Work.
type Work struct {
	// Begun is the offset of the first run on each partition, Finished the offset
	// after the last run that ended well.
	Begun, Finished map[int32]int64
	// Open are the runs that have begun and not ended, by partition.
	Open map[int32]int
	// First is when the first run began.
	First time.Time
}

// Work reads the process's journal.
func (p *Process) Work() Work {
	p.rig.t.Helper()
	h, err := kafkatest.ReadFiles(p.Journal)
	if err != nil {
		p.rig.t.Fatal(err)
	}
	w := Work{Begun: map[int32]int64{}, Finished: map[int32]int64{}, Open: map[int32]int{}}
	h.Events(func(e kafkatest.Event) bool {
		at := e.Input
		switch e.Kind { //nolint:exhaustive // only the runs count
		case kafkatest.KindStart:
			if _, ok := w.Begun[at.Partition]; !ok {
				w.Begun[at.Partition] = at.Offset
			}
			if w.First.IsZero() {
				w.First = e.At
			}
			w.Open[at.Partition]++
		case kafkatest.KindEnd:
			w.Open[at.Partition]--
			if e.Outcome == kafkatest.OutcomeOK {
				w.Finished[at.Partition] = max(w.Finished[at.Partition], at.Offset+1)
			}
		}
		return true
	})
	return w
}

// Lag is how much of a partition the group has not committed.
func (r *Rig) Lag(partition int32) int64 {
	r.t.Helper()
	ends, err := r.Cluster.EndOffsets(r.t.Context(), r.Input)
	if err != nil {
		r.t.Fatal(err)
	}
	return ends[partition] - max(r.Committed(partition), 0)
}

// AwaitCommittedAt waits until the group has committed this offset of a
// partition, or a later one.
func (r *Rig) AwaitCommittedAt(partition int32, offset int64, limit time.Duration) {
	r.t.Helper()
	r.Until(fmt.Sprintf("a commit of partition %d at %d", partition, offset), limit, func(ctx context.Context) bool {
		got, err := r.Cluster.CommittedOffsets(ctx, r.Group)
		return err == nil && got[cluster.Partition{Topic: r.Input, Partition: partition}].Offset >= offset
	})
}
