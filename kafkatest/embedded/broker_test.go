package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pitlane-go/pitlane/kafkatest/embedded"
	"github.com/pitlane-go/pitlane/processor"
)

func TestProduceAndReadAllKeepEverything(t *testing.T) {
	ctx := deadline(t)
	b := embedded.Start(t, embedded.Config{Brokers: 3, Topics: map[string]int{"t": 3}})
	old := time.UnixMilli(1_000_000_000_000) // older than any default retention
	for i := range int32(3) {
		records := []*embedded.Record{
			{Partition: i, Key: nil, Value: []byte{}, Timestamp: old},
			{Partition: i, Timestamp: old, Key: []byte{}, Value: nil, Headers: []processor.Header{{Key: "a"}, {Key: "a", Value: []byte("x")}}},
		}
		if err := b.Produce(ctx, "t", records...); err != nil {
			t.Fatal(err)
		}
		if records[1].Offset != 1 || records[1].Topic != "t" {
			t.Fatalf("written as %+v", records[1])
		}
	}
	b.Cluster().ApplyRetention()
	all, err := b.ReadAll(ctx, "t")
	if err != nil || len(all) != 6 {
		t.Fatalf("read %d records: %v", len(all), err)
	}
	slices.SortStableFunc(all, func(x, y embedded.Record) int { return int(x.Partition - y.Partition) })
	if first := all[0]; first.Key != nil || first.Value == nil || !first.Timestamp.Equal(old) {
		t.Fatalf("read %+v", first)
	}
	if second := all[1]; second.Key == nil || second.Value != nil || len(second.Headers) != 2 || second.Headers[0].Value != nil {
		t.Fatalf("read %+v", second)
	}
	ends, err := b.EndOffsets("t")
	if err != nil || ends[2] != 2 {
		t.Fatalf("ends %v: %v", ends, err)
	}
}

func TestProduceByKeyKeepsKeysTogether(t *testing.T) {
	ctx := deadline(t)
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"t": 8}})
	var records []*embedded.Record
	for i := range 64 {
		records = append(records, &embedded.Record{Partition: embedded.ByKey, Key: fmt.Appendf(nil, "key-%d", i%16)})
	}
	if err := b.Produce(ctx, "t", records...); err != nil {
		t.Fatal(err)
	}
	used := map[int32]bool{}
	for i, r := range records {
		used[r.Partition] = true
		if r.Partition != records[i%16].Partition {
			t.Fatalf("key %s is in partitions %d and %d", r.Key, r.Partition, records[i%16].Partition)
		}
	}
	if len(used) < 3 {
		t.Fatalf("16 keys are in %d partitions", len(used))
	}
}

func TestReadAllOfAnEmptyAndAnAbsentTopic(t *testing.T) {
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"t": 3}})
	if all, err := b.ReadAll(deadline(t), "t"); err != nil || len(all) != 0 {
		t.Fatalf("read %v: %v", all, err)
	}
	if _, err := b.ReadAll(deadline(t), "absent"); !errors.Is(err, embedded.ErrNoSuchTopic) {
		t.Fatalf("read of an absent topic: %v", err)
	}
}

// freePort finds a port below the range of outgoing connections.
func freePort(t *testing.T) int {
	t.Helper()
	for port := 20000; port < 32000; port += 7 {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return port
	}
	t.Fatal("no free port")
	return 0
}

func TestFixedPortIsUsedAndItsConflictIsAnError(t *testing.T) {
	port := freePort(t)
	b := embedded.Start(t, embedded.Config{Port: port})
	if want := fmt.Sprintf("127.0.0.1:%d", port); b.Bootstrap() != want {
		t.Fatalf("bootstrap %q, want %q", b.Bootstrap(), want)
	}
	if other, err := embedded.Run(t.Context(), embedded.Config{Port: port}); err == nil {
		other.Close()
		t.Fatal("two brokers have one port")
	}
}

func TestRunStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b, err := embedded.Run(ctx, embedded.Config{Topics: map[string]int{"t": 1}})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for wait := deadline(t); ; {
		if err := b.Produce(wait, "t", &embedded.Record{}); err != nil {
			if wait.Err() != nil || !errors.Is(err, kgo.ErrClientClosed) {
				t.Fatalf("produce after the end: %v", err)
			}
			break
		}
	}
	b.Close()
}

func TestConfigNamesAllItsProblems(t *testing.T) {
	_, err := embedded.Run(t.Context(), embedded.Config{Brokers: -1, Port: -5, Topics: map[string]int{"t": 0}})
	if err == nil {
		t.Fatal("it started")
	}
	for _, field := range []string{"brokers:", "port:", "topics:"} {
		if !strings.Contains(err.Error(), field) {
			t.Errorf("%q does not name %s", err, field)
		}
	}
}

func TestAutoCreateIsOffUnlessAskedFor(t *testing.T) {
	for _, auto := range []bool{false, true} {
		b := embedded.Start(t, embedded.Config{AutoCreate: auto})
		client, err := kgo.NewClient(kgo.SeedBrokers(b.Addrs()...), kgo.AllowAutoTopicCreation(), kgo.UnknownTopicRetries(0))
		if err != nil {
			t.Fatal(err)
		}
		err = client.ProduceSync(deadline(t), &kgo.Record{Topic: "new"}).FirstErr()
		client.Close()
		if (err == nil) != auto {
			t.Fatalf("auto creation %v: %v", auto, err)
		}
	}
}
