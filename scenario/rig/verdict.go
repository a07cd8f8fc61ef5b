package rig

import (
	"context"
	"strconv"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/cluster"
)

// pollInterval is how often the rig asks the brokers while it waits for a state.
const pollInterval = 200 * time.Millisecond

// AwaitCommitted waits until the group has committed everything that was filled.
func (r *Rig) AwaitCommitted(limit time.Duration) {
	r.t.Helper()
	ends := map[cluster.Partition]int64{}
	for _, topic := range r.topics {
		of, err := r.Cluster.EndOffsets(r.t.Context(), topic)
		if err != nil {
			r.t.Fatal(err)
		}
		for p, end := range of {
			ends[cluster.Partition{Topic: topic, Partition: p}] = end
		}
	}
	r.Until("everything is committed", limit, func(ctx context.Context) bool {
		got, err := r.Cluster.CommittedOffsets(ctx, r.Group)
		if err != nil {
			return false
		}
		for p, end := range ends {
			if end > 0 && got[p].Offset < end {
				return false
			}
		}
		return true
	})
}

// Committed returns the group's committed offset of a partition, -1 for none.
func (r *Rig) Committed(partition int32) int64 {
	r.t.Helper()
	got, err := r.Cluster.CommittedOffsets(r.t.Context(), r.Group)
	if err != nil {
		r.t.Fatal(err)
	}
	c, ok := got[cluster.Partition{Topic: r.Input, Partition: partition}]
	if !ok {
		return -1
	}
	return c.Offset
}

// OutputCount returns how many records the output topic has.
func (r *Rig) OutputCount(ctx context.Context) int64 {
	r.t.Helper()
	ends, err := r.Cluster.EndOffsets(ctx, r.Output)
	if err != nil {
		r.t.Fatal(err)
	}
	var n int64
	for _, e := range ends {
		n += e
	}
	return n
}

// AwaitOutput waits until the output topic has at least n records.
func (r *Rig) AwaitOutput(n int64, limit time.Duration) {
	r.t.Helper()
	r.Until(strconv.FormatInt(n, 10)+" records in the output", limit, func(ctx context.Context) bool { return r.OutputCount(ctx) >= n })
}

// Until asks again and again until the state is there; it fails the test after
// limit.
func (r *Rig) Until(what string, limit time.Duration, there func(context.Context) bool) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), limit)
	defer cancel()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for !there(ctx) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			r.t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

// History gathers what happened: the journals, the ends of processes, the outputs
// and the commits.
func (r *Rig) History() *kafkatest.History {
	r.t.Helper()
	all := []*kafkatest.History{r.produced, r.fromBrokers()}
	seen := map[string]bool{}
	for _, p := range r.procs {
		if seen[p.Journal] {
			continue
		}
		seen[p.Journal] = true
		if !p.journaled() {
			continue
		}
		h, err := kafkatest.ReadFiles(p.Journal)
		if err != nil {
			r.t.Fatal(err)
		}
		all = append(all, h)
	}
	for _, p := range r.procs {
		all = append(all, p.decisions())
	}
	return kafkatest.Merge(all...)
}

// Check judges the history, fails the test on a violation and logs the report.
func (r *Rig) Check(opts kafkatest.Options) *kafkatest.Report {
	r.t.Helper()
	opts.Group = r.Group
	report := kafkatest.Check(r.History(), opts)
	r.t.Logf("history: %d inputs, %d runs, %d outputs, %d commits: %s",
		report.Inputs, report.Runs, report.Outputs, report.Commits, report)
	if err := report.Err(); err != nil {
		r.t.Error(err)
	}
	return report
}

// fromBrokers reads the output topic and the group's commits.
func (r *Rig) fromBrokers() *kafkatest.History {
	r.t.Helper()
	h := kafkatest.NewHistory()
	err := r.Cluster.ReadTo(r.t.Context(), r.Output, func(rec cluster.Record) {
		id, err := strconv.ParseInt(string(rec.Key), 10, 64)
		if err != nil {
			r.t.Errorf("output %d/%d: key %q is no id", rec.Partition, rec.Offset, rec.Key)
			return
		}
		// The record keeps the input's time stamp, so the time of the write is not known.
		h.Output(kafkatest.Output{ID: id, At: kafkatest.Position{Topic: r.Output, Partition: rec.Partition, Offset: rec.Offset}})
	})
	if err != nil {
		r.t.Fatal(err)
	}
	commits, err := r.Cluster.Commits(r.t.Context(), r.Group)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, c := range commits {
		if c.Tombstone {
			continue
		}
		h.Committed(kafkatest.Commit{
			Group: r.Group, LogPosition: c.Position, Time: c.Time,
			Position: kafkatest.Position{Topic: c.Topic, Partition: c.Partition, Offset: c.Offset},
		})
	}
	return h
}
