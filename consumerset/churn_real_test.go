package consumerset_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/kafkatest/cluster"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
)

const churnPartitions = 6

// churn is one topic on a real broker, whose group members come and go under load.
type churn struct {
	rig
	kafka *cluster.Cluster
	cfg   consumerset.Config
}

func newChurn(t *testing.T, k *cluster.Cluster, name string) *churn {
	t.Helper()
	if err := k.CreateTopic(t.Context(), cluster.TopicSpec{Name: name, Partitions: churnPartitions}); err != nil {
		t.Fatal(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(k.Bootstrap()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	c := &churn{kafka: k, rig: rig{
		t: t, brokers: k.Bootstrap(), topic: name, kgo: client,
		journal: newJournal(), events: &events{changed: make(chan struct{})},
	}}
	c.cfg = c.config()
	c.cfg.Group = name
	c.cfg.SessionTimeout = 6 * time.Second
	return c
}

// load writes until ctx ends and returns how many records each partition has.
func (c *churn) load(ctx context.Context) (perPartition int, err error) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	const batch = 10
	for {
		var rs []*kgo.Record
		for i := range batch {
			for p := range int32(churnPartitions) {
				rs = append(rs, &kgo.Record{Topic: c.topic, Partition: p, Value: fmt.Appendf(nil, "%d", perPartition+i)})
			}
		}
		// A round is finished though the time is over: the count must be right.
		if err := c.kgo.ProduceSync(context.WithoutCancel(ctx), rs...).FirstErr(); err != nil {
			return perPartition, err
		}
		perPartition += batch
		select {
		case <-tick.C:
		case <-ctx.Done():
			return perPartition, nil
		}
	}
}

// comeAndGo starts and stops a second member until ctx ends.
func (c *churn) comeAndGo(ctx context.Context) {
	for i := 0; ctx.Err() == nil; i++ {
		s := c.start(named(c.cfg, fmt.Sprintf("guest-%d", i))) //nolint:contextcheck // stopped in order after ctx
		stay := time.NewTimer(1500 * time.Millisecond)
		select {
		case <-stay.C:
		case <-ctx.Done():
		}
		stay.Stop()
		res := s.stop() //nolint:contextcheck // stopped in order after ctx
		if res.Outcome() != consumerset.Clean {
			c.t.Logf("guest %d ended %v: %+v", i, res.Outcome(), res)
		}
	}
}

func (c *churn) run(length time.Duration) {
	resident := c.start(named(c.cfg, "resident"))
	// Before there is any message the start offsets are committed.
	for p := range int32(churnPartitions) {
		one(&c.rig, "assigned", func(e event.PartitionAssigned) bool { return e.Partition.Partition == p })
	}
	c.quiet(resident, 0)
	ctx, cancel := context.WithTimeout(c.t.Context(), length)
	defer cancel()
	written, loaded := make(chan int, 1), make(chan error, 1)
	go func() {
		n, err := c.load(ctx)
		written <- n
		loaded <- err
	}()
	c.comeAndGo(ctx)
	n := <-written
	if err := <-loaded; err != nil {
		c.t.Error(err)
	}
	c.until("everything", func() bool { return c.journal.total == n*churnPartitions })
	if res := resident.stop(); res.Outcome() != consumerset.Clean {
		c.t.Errorf("resident ended %v: %+v", res.Outcome(), res)
	}
	c.check()
	c.verdict(n)
}

// verdict reads the group's commits from the broker's own log.
func (c *churn) verdict(n int) {
	commits, err := c.kafka.Commits(c.t.Context(), c.cfg.Group)
	if err != nil {
		c.t.Fatal(err)
	}
	first, last := map[int32]int64{}, map[int32]int64{}
	for _, x := range commits {
		if x.Topic != c.topic {
			continue
		}
		if _, ok := first[x.Partition]; !ok {
			first[x.Partition] = x.Offset
		}
		if x.Offset < last[x.Partition] {
			c.t.Errorf("partition %d: committed %d after %d", x.Partition, x.Offset, last[x.Partition])
		}
		last[x.Partition] = x.Offset
	}
	for p := range int32(churnPartitions) {
		if at, ok := first[p]; !ok || at != 0 {
			c.t.Errorf("partition %d: first commit at %d, not at the start", p, at)
		}
		if last[p] != int64(n) {
			c.t.Errorf("partition %d: committed %d of %d", p, last[p], n)
		}
	}
	c.t.Logf("%d messages, %d ran again, %d commits", n*churnPartitions, c.journal.again, len(commits))
}

// Members come and go under load on a real broker: nothing is lost, and no committed
// offset goes back, in every protocol and with both feeds.
func TestMembersComeAndGoUnderLoadOnRealKafka(t *testing.T) {
	length := scale.D(t, 10*time.Second, time.Minute)
	k := cluster.Start(t, cluster.Config{})
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChurn(t, k, "churn-"+strings.ReplaceAll(name, "/", "-"))
			change(&c.cfg)
			c.run(length)
		})
	}
}
