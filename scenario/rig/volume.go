package rig

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/cluster"
)

// Pour is Fill for so many messages that a history of them would not fit into
// memory: they are judged by Diff, not by Check.
func (r *Rig) Pour(n int) {
	r.t.Helper()
	for n > 0 {
		recs := make([]cluster.Record, min(n, fillChunk))
		n -= len(recs)
		for i := range recs {
			r.filled++
			v := make([]byte, valueBytes)
			copy(v, fmt.Sprintf("%020d", r.filled))
			recs[i] = cluster.Record{
				Partition: int32(r.filled % int64(r.partitions)), Key: strconv.AppendInt(nil, r.filled, 10), Value: v,
			}
		}
		if err := r.Cluster.Produce(r.t.Context(), r.Input, recs); err != nil {
			r.t.Fatal(err)
		}
	}
}

// Diff reads the input and the output from the brokers and compares them.
func (r *Rig) Diff() *kafkatest.Diff {
	r.t.Helper()
	return kafkatest.Compare(r.stream(r.Input), r.stream(r.Output))
}

func (r *Rig) stream(topic string) *kafkatest.Stream {
	r.t.Helper()
	var s kafkatest.Stream
	err := r.Cluster.ReadTo(r.t.Context(), topic, func(rec cluster.Record) {
		id, err := strconv.ParseInt(string(rec.Key), 10, 64)
		if err != nil || len(rec.Value) != valueBytes || string(rec.Value[:20]) != fmt.Sprintf("%020d", id) {
			r.t.Errorf("%s/%d/%d is not what was written: key %q, %d bytes", topic, rec.Partition, rec.Offset, rec.Key, len(rec.Value))
			return
		}
		s.Add(rec.Partition, id)
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return &s
}

// Afresh gives the rig a new group and a new output topic, so that the same input
// can be read again.
func (r *Rig) Afresh() {
	r.t.Helper()
	r.rounds++
	r.Group = fmt.Sprintf("%s.%d", r.Input, r.rounds)
	r.Output = r.Group + ".out"
	r.topic(r.Output, r.outputConfig)
}

// Quick starts scenario/worker without the race detector and without a journal:
// for what is judged by its speed.
func (r *Rig) Quick(name string, settings Settings) *Process {
	r.t.Helper()
	base := r.base()
	base["processor.name"] = name
	base["processor.output"] = r.Output
	maps.Copy(base, settings)
	return r.start(name, r.Suite.Binary(r.t, "scenario/worker", false), base)
}

// AwaitAllCommitted waits until the group has committed the input's partitions to
// their ends.
func (r *Rig) AwaitAllCommitted(limit time.Duration, partitions ...int32) {
	r.t.Helper()
	ends, err := r.Cluster.EndOffsets(r.t.Context(), r.Input)
	if err != nil {
		r.t.Fatal(err)
	}
	r.Until(fmt.Sprintf("partitions %d are committed", partitions), limit, func(ctx context.Context) bool {
		got, err := r.Cluster.CommittedOffsets(ctx, r.Group)
		if err != nil {
			return false
		}
		return !slices.ContainsFunc(partitions, func(p int32) bool {
			return got[cluster.Partition{Topic: r.Input, Partition: p}].Offset < ends[p]
		})
	})
}

// LogAppendTime is the output topic's configuration with which the broker stamps
// each record: AppendSpeed needs it.
func LogAppendTime() map[string]string {
	return map[string]string{"message.timestamp.type": "LogAppendTime"}
}

// AppendSpeed returns how many messages per second were written to each of the
// partitions of the output, by the clock of the brokers, and all added.
func (r *Rig) AppendSpeed(partitions ...int32) float64 {
	r.t.Helper()
	type span struct {
		first, last time.Time
		after       int // records after the first batch
	}
	spans := map[int32]*span{}
	err := r.Cluster.ReadTo(r.t.Context(), r.Output, func(rec cluster.Record) {
		s := spans[rec.Partition]
		if s == nil {
			s = &span{first: rec.Timestamp}
			spans[rec.Partition] = s
		}
		if rec.Timestamp.After(s.first) {
			s.after++
		}
		s.last = rec.Timestamp
	}, cluster.ReadPartitions(partitions...))
	if err != nil {
		r.t.Fatal(err)
	}
	var sum float64
	for p, s := range spans {
		if s.after == 0 {
			r.t.Fatalf("partition %d was written in one batch: no speed", p)
		}
		sum += float64(s.after) / s.last.Sub(s.first).Seconds()
	}
	return sum
}
