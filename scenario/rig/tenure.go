package rig

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/cluster"
)

// Tenure is one assignment of a partition to a process, as its journal tells it.
type Tenure struct {
	Process   string
	Partition cluster.Partition
	Epoch     int32
	// Assigned is when the member had it, as its log tells: the processor hears of
	// a partition with the first message only.
	Assigned time.Time
	// Over is when it was revoked or lost, zero if it was not.
	Over time.Time
	// Runs are the starts of the processor in it, First and FirstOffset the first
	// of them. Late are the units that started after it was over; a batch that was
	// started before goes on until it is cancelled.
	Runs, Late  int
	First       time.Time
	FirstOffset int64
}

// Tenures returns the assignments of all processes, in the order of their
// beginning in each process.
func (r *Rig) Tenures() []Tenure {
	r.t.Helper()
	var all []Tenure
	for _, p := range r.procs {
		all = append(all, p.Tenures()...)
	}
	return all
}

// Tenures returns the assignments of this process. It must not share its journal.
func (p *Process) Tenures() []Tenure {
	p.rig.t.Helper()
	if _, err := os.Stat(p.Journal); os.IsNotExist(err) {
		return nil // it ended before its start was over
	}
	var all []Tenure
	type key struct {
		at    cluster.Partition
		epoch int32
	}
	at := map[key]int{}
	unit := map[key]int64{}
	p.events(func(e kafkatest.Event) {
		k := key{cluster.Partition{Topic: e.Input.Topic, Partition: e.Input.Partition}, e.Epoch}
		if e.Kind == kafkatest.KindAssigned {
			at[k] = len(all)
			all = append(all, Tenure{Process: p.Name, Partition: k.at, Epoch: e.Epoch, Assigned: p.assignedAt(k.at, e.At)})
			return
		}
		i, ok := at[k]
		if !ok {
			return
		}
		t := &all[i]
		switch e.Kind { //nolint:exhaustive // only starts and ends of tenures count
		case kafkatest.KindRevoked, kafkatest.KindLost:
			t.Over = e.At
		case kafkatest.KindStart:
			if t.Runs++; t.Runs == 1 {
				t.First, t.FirstOffset = e.At, e.Input.Offset
			}
			if !t.Over.IsZero() && (e.Unit == 0 || e.Unit != unit[k]) {
				t.Late++
			}
			unit[k] = e.Unit
		}
	})
	return all
}

// assignedAt is when the log tells last, before a time, that a partition was
// assigned; that time itself if it does not tell.
func (p *Process) assignedAt(at cluster.Partition, before time.Time) time.Time {
	var last time.Time
	for _, l := range p.Log() {
		if l.Message == "partition assigned" && l.String("topic") == at.Topic && l.Int("partition") == int64(at.Partition) &&
			!l.Time.After(before) {
			last = l.Time
		}
	}
	if last.IsZero() {
		return before
	}
	return last
}

// UnitHeads returns the offset of the first message of each batch that this
// process has run.
func (p *Process) UnitHeads() map[cluster.Partition][]int64 {
	p.rig.t.Helper()
	heads := map[cluster.Partition][]int64{}
	units := map[cluster.Partition]map[int64]bool{}
	p.events(func(e kafkatest.Event) {
		at := cluster.Partition{Topic: e.Input.Topic, Partition: e.Input.Partition}
		unit := e.Unit<<32 | int64(e.Epoch) // units are counted by assignment
		if e.Kind != kafkatest.KindStart || units[at][unit] {
			return
		}
		if units[at] == nil {
			units[at] = map[int64]bool{}
		}
		units[at][unit] = true
		heads[at] = append(heads[at], e.Input.Offset)
	})
	return heads
}

// CheckTenures fails the test for every assignment in which a run started after
// it was over.
func (r *Rig) CheckTenures() []Tenure {
	r.t.Helper()
	all := r.Tenures()
	for _, t := range all {
		if t.Late > 0 {
			r.t.Errorf("%s started %d runs of %v after it gave it up (epoch %d)", t.Process, t.Late, t.Partition, t.Epoch)
		}
	}
	return all
}

// AwaitAssigned waits until a process has exactly n partitions of the group, as
// its log tells.
func (r *Rig) AwaitAssigned(p *Process, n int) {
	r.t.Helper()
	r.Until(fmt.Sprintf("%s has %d partitions", p.Name, n), time.Minute, func(context.Context) bool {
		has := map[string]bool{}
		for _, l := range p.Log() {
			at := l.String("topic") + "/" + strconv.FormatInt(l.Int("partition"), 10)
			switch l.Message {
			case "partition assigned":
				has[at] = true
			case "partition revoked", "partition lost":
				delete(has, at)
			}
		}
		return len(has) == n
	})
}
