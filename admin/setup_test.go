package admin_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pitlane-go/pitlane/admin"
	"github.com/pitlane-go/pitlane/processor"
)

// bundle is an embedded cluster of two brokers with topics "orders" (three
// partitions) and "other", the client under test, and another client library.
type bundle struct {
	broker *kfake.Cluster
	client *admin.Client
	oracle *kadm.Client
	kgo    *kgo.Client
}

func setup(t *testing.T) *bundle {
	t.Helper()
	broker, err := kfake.NewCluster(kfake.NumBrokers(2), kfake.ClusterID("pit"),
		kfake.SeedTopics(3, "orders"), kfake.SeedTopics(1, "other"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	k, err := kgo.NewClient(kgo.SeedBrokers(broker.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	return &bundle{broker: broker, client: open(t, strings.Join(broker.ListenAddrs(), ",")), oracle: kadm.NewClient(k), kgo: k}
}

func open(t *testing.T, brokers string) *admin.Client {
	t.Helper()
	client, err := admin.New(admin.Config{Timeout: 2 * time.Second, Properties: map[string]string{"bootstrap.servers": brokers}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

// fill writes n records to one partition of orders.
func (b *bundle) fill(t *testing.T, partition int32, n int) {
	t.Helper()
	for range n {
		r := &kgo.Record{Topic: "orders", Partition: partition, Value: []byte("v")}
		if err := b.kgo.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

// orders names partitions of the topic orders.
func orders(partitions ...int32) []processor.Partition {
	all := make([]processor.Partition, len(partitions))
	for i, p := range partitions {
		all[i] = processor.Partition{Topic: "orders", Partition: p}
	}
	return all
}

// within bounds a test's context and checks that the call kept to it.
func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	started := time.Now()
	t.Cleanup(cancel)
	t.Cleanup(func() {
		if took := time.Since(started); took > d+5*time.Second {
			t.Errorf("a call with %v took %v", d, took)
		}
	})
	return ctx
}
