package cluster_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pitlane-go/pitlane/kafkatest/cluster"
)

// testTime bounds one test's questions to a cluster.
const testTime = 2 * time.Minute

func setup(t *testing.T, cfg cluster.Config) (context.Context, *cluster.Cluster) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testTime)
	t.Cleanup(cancel)
	began := time.Now()
	c := cluster.Start(t, cfg)
	t.Logf("%d broker(s) started in %v", cfg.Brokers, time.Since(began))
	return ctx, c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestOracleReadsBackWhatWasProducedAndEveryCommit(t *testing.T) {
	ctx, c := setup(t, cluster.Config{Brokers: 1})
	t.Run("records come back whole and in order", func(t *testing.T) { recordsComeBack(ctx, t, c) })
	t.Run("many records are read in order and once", func(t *testing.T) { manyRecords(ctx, t, c) })
	t.Run("commits come back in order, with tombstones", func(t *testing.T) { commitsComeBack(ctx, t, c) })
	t.Run("aborted records are left out on request", func(t *testing.T) { abortedRecords(ctx, t, c) })
	t.Run("a deleted topic is gone", func(t *testing.T) {
		must(t, c.DeleteTopic(ctx, "whole"))
		if _, err := c.EndOffsets(ctx, "whole"); err == nil {
			t.Error("EndOffsets of a deleted topic: no error")
		}
	})
}

func recordsComeBack(ctx context.Context, t *testing.T, c *cluster.Cluster) {
	t.Helper()
	must(t, c.CreateTopic(ctx, cluster.TopicSpec{Name: "whole", Partitions: 2, Config: map[string]string{"retention.ms": "-1"}}))
	at := time.UnixMilli(1_700_000_000_123)
	in := []cluster.Record{
		{Partition: 1, Key: []byte("k"), Value: []byte("v"), Timestamp: at},
		{Partition: 1, Key: nil, Value: []byte{}, Headers: []cluster.Header{{Key: "h", Value: []byte("1")}, {Key: "h"}}},
		{Partition: 1, Key: []byte{}, Value: nil},
	}
	must(t, c.Produce(ctx, "whole", in))
	out, err := c.ReadAll(ctx, "whole")
	must(t, err)
	if len(out) != len(in) {
		t.Fatalf("read %d records, want %d", len(out), len(in))
	}
	for i, r := range out {
		w := in[i]
		if r.Topic != "whole" || r.Partition != 1 || r.Offset != int64(i) || w.Offset != int64(i) {
			t.Errorf("record %d is at %s/%d@%d, produced at %d", i, r.Topic, r.Partition, r.Offset, w.Offset)
		}
		if !same(r.Key, w.Key) || !same(r.Value, w.Value) {
			t.Errorf("record %d: key %#v value %#v, want %#v and %#v", i, r.Key, r.Value, w.Key, w.Value)
		}
	}
	if !out[0].Timestamp.Equal(at) {
		t.Errorf("timestamp %v, want %v", out[0].Timestamp, at)
	}
	if h := out[1].Headers; len(h) != 2 || h[0].Key != "h" || string(h[0].Value) != "1" || h[1].Value != nil {
		t.Errorf("headers %#v", h)
	}
	tail, err := c.ReadAll(ctx, "whole", cluster.ReadPartitions(1), cluster.ReadFrom(map[int32]int64{1: 2}))
	must(t, err)
	if len(tail) != 1 || tail[0].Offset != 2 {
		t.Errorf("reading from offset 2: %v", tail)
	}
}

// same also tells nil from empty.
func same(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

func manyRecords(ctx context.Context, t *testing.T, c *cluster.Cluster) {
	t.Helper()
	const count, partitions = 200_000, 4
	must(t, c.CreateTopic(ctx, cluster.TopicSpec{Name: "many", Partitions: partitions}))
	records := make([]cluster.Record, count)
	for i := range records {
		records[i] = cluster.Record{Partition: int32(i % partitions), Value: fmt.Appendf(nil, "%0100d", i)}
	}
	began := time.Now()
	must(t, c.Produce(ctx, "many", records))
	produced := time.Since(began)
	began = time.Now()
	next := map[int32]int64{}
	must(t, c.ReadTo(ctx, "many", func(r cluster.Record) {
		if r.Offset != next[r.Partition] {
			t.Errorf("partition %d: offset %d after %d", r.Partition, r.Offset, next[r.Partition]-1)
		}
		next[r.Partition]++
	}))
	t.Logf("produced in %v, read in %v", produced, time.Since(began))
	for p := range int32(partitions) {
		if next[p] != count/partitions {
			t.Errorf("partition %d: read %d records", p, next[p])
		}
	}
}

func commitsComeBack(ctx context.Context, t *testing.T, c *cluster.Cluster) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(c.Bootstrap()...))
	must(t, err)
	defer client.Close()
	admin := kadm.NewClient(client)
	commit := func(group string, at int64, metadata string) {
		var o kadm.Offsets
		o.Add(kadm.Offset{Topic: "many", Partition: 3, At: at, LeaderEpoch: -1, Metadata: metadata})
		must(t, admin.CommitAllOffsets(ctx, group, o))
	}
	commit("g", 7, "first")
	commit("o", 99, "") // on the same offsets partition as g
	commit("g", 5, "back")
	now, err := c.CommittedOffsets(ctx, "g")
	must(t, err)
	if got := now[cluster.Partition{Topic: "many", Partition: 3}]; got.Offset != 5 || got.Metadata != "back" {
		t.Errorf("present commit %+v", got)
	}
	var set kadm.TopicsSet
	set.Add("many", 3)
	_, err = admin.DeleteOffsets(ctx, "g", set)
	must(t, err)

	got, err := c.Commits(ctx, "g")
	must(t, err)
	if len(got) != 3 {
		t.Fatalf("history has %d entries, want 3: %+v", len(got), got)
	}
	for i, w := range []cluster.Commit{{Offset: 7, Metadata: "first"}, {Offset: 5, Metadata: "back"}, {Offset: -1, Tombstone: true}} {
		g := got[i]
		if g.Topic != "many" || g.Partition != 3 || g.Offset != w.Offset || g.Metadata != w.Metadata || g.Tombstone != w.Tombstone {
			t.Errorf("entry %d is %+v, want %+v", i, g, w)
		}
		if i > 0 && g.Position <= got[i-1].Position {
			t.Errorf("entry %d is at %d, before that %d", i, g.Position, got[i-1].Position)
		}
		if age := time.Since(g.Time); age < 0 || age > testTime {
			t.Errorf("entry %d is %v old", i, age)
		}
	}
}

func abortedRecords(ctx context.Context, t *testing.T, c *cluster.Cluster) {
	t.Helper()
	must(t, c.CreateTopic(ctx, cluster.TopicSpec{Name: "tx"}))
	client, err := kgo.NewClient(kgo.SeedBrokers(c.Bootstrap()...), kgo.TransactionalID("tx"), kgo.DefaultProduceTopic("tx"))
	must(t, err)
	defer client.Close()
	for _, end := range []kgo.TransactionEndTry{kgo.TryAbort, kgo.TryCommit, kgo.TryAbort} {
		must(t, client.BeginTransaction())
		must(t, client.ProduceSync(ctx, kgo.StringRecord(map[kgo.TransactionEndTry]string{kgo.TryCommit: "kept"}[end])).FirstErr())
		must(t, client.EndTransaction(ctx, end))
	}
	all, err := c.ReadAll(ctx, "tx")
	must(t, err)
	committed, err := c.ReadAll(ctx, "tx", cluster.ReadCommitted())
	must(t, err)
	if len(all) != 3 || len(committed) != 1 || string(committed[0].Value) != "kept" {
		t.Errorf("all %d records, committed %v", len(all), committed)
	}
}
