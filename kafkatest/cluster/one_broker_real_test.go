package cluster_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest/cluster"
)

func TestOneBrokerKeepsWhatIsProducedThroughAKillAndARestart(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	began := time.Now()
	c := cluster.Start(t, cluster.Config{})
	t.Logf("started in %v", time.Since(began))

	if err := c.CreateTopic(ctx, cluster.TopicSpec{Name: "in", Partitions: 3}); err != nil {
		t.Fatal(err)
	}
	records := make([]cluster.Record, 1_000_000)
	for i := range records {
		records[i] = cluster.Record{Partition: int32(i % 3), Key: []byte("k"), Value: fmt.Appendf(nil, "%0100d", i)}
	}
	began = time.Now()
	if err := c.Produce(ctx, "in", records); err != nil {
		t.Fatal(err)
	}
	t.Logf("produced in %v", time.Since(began))
	began = time.Now()
	got, err := c.ReadAll(ctx, "in")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("read %d in %v", len(got), time.Since(began))
	began = time.Now()
	if err := c.Kill(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if err := c.Restart(ctx, 1); err != nil {
		t.Fatal(err)
	}
	t.Logf("restart in %v", time.Since(began))
	got, err = c.ReadAll(ctx, "in")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("read %d in %v", len(got), time.Since(began))
}
