package queue_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"go.uber.org/goleak"

	"github.com/pitlane-go/pitlane/consumerset/queue"
	"github.com/pitlane-go/pitlane/lane"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type rig struct {
	t        *testing.T
	consumer *kafka.Consumer
	hub      *queue.Hub
	kgo      *kgo.Client
}

func setup(t *testing.T, partitions int32) *rig {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, "in"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	k, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	consumer, err := kafka.NewConsumer(&kafka.ConfigMap{
		"bootstrap.servers": c.ListenAddrs()[0], "group.id": "g", "auto.offset.reset": "error",
		"enable.auto.commit": false, "enable.auto.offset.store": false, "fetch.wait.max.ms": 50,
	})
	if err != nil {
		t.Fatal(err)
	}
	hub, err := queue.NewHub(consumer)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t, consumer, hub, k}
}

func (r *rig) produce(partition int32, n int) {
	r.t.Helper()
	var rs []*kgo.Record
	for i := range n {
		rs = append(rs, &kgo.Record{Topic: "in", Partition: partition, Value: fmt.Appendf(nil, "%d", i)})
	}
	if err := r.kgo.ProduceSync(r.t.Context(), rs...).FirstErr(); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) open(partition int32, next int64) *queue.Feed {
	r.t.Helper()
	f, err := r.hub.Open("in", partition, next, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return f
}

func (r *rig) assign(offsets map[int32]int64) {
	r.t.Helper()
	topic := "in"
	var list []kafka.TopicPartition
	for p, o := range offsets {
		list = append(list, kafka.TopicPartition{Topic: &topic, Partition: p, Offset: kafka.Offset(o)})
	}
	if err := r.consumer.Assign(list); err != nil {
		r.t.Fatal(err)
	}
}

// end closes everything, the wake pipe last.
func (r *rig) end(feeds ...*queue.Feed) {
	r.t.Helper()
	for _, f := range feeds {
		f.Close()
		f.Disarm()
	}
	if err := r.consumer.Close(); err != nil {
		r.t.Error(err)
	}
	for _, f := range feeds {
		f.Forget()
	}
	if err := r.hub.Close(); err != nil {
		r.t.Error(err)
	}
}

// take reads n messages, waiting for wake-ups only.
func take(t *testing.T, f *queue.Feed, n int) (offsets []int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for len(offsets) < n {
		select {
		case <-f.Wake():
		case <-ctx.Done():
			t.Fatalf("%d of %d messages, and no wake-up", len(offsets), n)
		}
		for more := true; more; {
			msgs, m, err := f.Read(10)
			if err != nil {
				t.Fatal(err)
			}
			more = m
			for _, x := range msgs {
				offsets = append(offsets, x.Offset)
			}
		}
	}
	return offsets
}

// An upgrade of the client that changes its layout fails here, and not in production.
func TestTheClientGivesOutItsHandle(t *testing.T) {
	r := setup(t, 1)
	r.end()
}

func TestEveryMessageComesByItsQueueWithAWakeUp(t *testing.T) {
	r := setup(t, 2)
	a, b := r.open(0, 0), r.open(1, 0)
	r.assign(map[int32]int64{0: 0, 1: 0})
	for range 5 {
		r.produce(0, 30)
		r.produce(1, 7)
		if n := len(take(t, a, 30)); n != 30 {
			t.Errorf("%d messages", n)
		}
		take(t, b, 7)
	}
	if a.Next() != 150 || b.Next() != 35 {
		t.Errorf("next %d and %d", a.Next(), b.Next())
	}
	r.end(a, b)
}

func TestWhatComesTwiceIsDroppedAndCounted(t *testing.T) {
	r := setup(t, 1)
	r.produce(0, 20)
	f := r.open(0, 5)
	r.assign(map[int32]int64{0: 0}) // from before the next offset
	got := take(t, f, 15)
	if got[0] != 5 || got[len(got)-1] != 19 || f.Dropped() != 5 {
		t.Errorf("offsets %v, %d dropped", got, f.Dropped())
	}
	r.end(f)
}

func TestAClosedFeedIsNeverReadAgain(t *testing.T) {
	r := setup(t, 1)
	r.produce(0, 20)
	f := r.open(0, 0)
	r.assign(map[int32]int64{0: 0})
	take(t, f, 20)
	r.produce(0, 20)
	f.Close()
	if msgs, more, err := f.Read(10); len(msgs) > 0 || more || !errors.Is(err, lane.ErrFeedClosed) {
		t.Errorf("read %d, %v, %v", len(msgs), more, err)
	}
	if err := r.consumer.Unassign(); err != nil {
		t.Error(err)
	}
	f.Release()
	f.Release()
	f.Forget()
	r.end(f)
	// After the client is gone it still answers.
	if _, _, err := f.Read(10); !errors.Is(err, lane.ErrFeedClosed) {
		t.Errorf("read after the end: %v", err)
	}
}

func TestAPartitionThatIsAssignedAgainStartsAfresh(t *testing.T) {
	r := setup(t, 1)
	r.produce(0, 2000)
	for i := range 30 {
		start := int64(i * 10)
		f := r.open(0, start)
		r.assign(map[int32]int64{0: start})
		if got := take(t, f, 5); got[0] != start {
			t.Fatalf("round %d starts at %d", i, got[0])
		}
		f.Close()
		if err := r.consumer.Unassign(); err != nil {
			t.Fatal(err)
		}
		f.Release()
	}
	r.end()
}

func TestAnOffsetOutOfRangeIsAnErrorOfTheFeed(t *testing.T) {
	r := setup(t, 1)
	r.produce(0, 5)
	f := r.open(0, 100)
	r.assign(map[int32]int64{0: 100})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var err error
	for err == nil {
		select {
		case <-f.Wake():
			_, _, err = f.Read(10)
		case <-ctx.Done():
			t.Fatal("no error")
		}
	}
	var pe *queue.PartitionError
	if !errors.As(err, &pe) || !pe.Dead() || pe.Code != int(kafka.ErrAutoOffsetReset) || pe.Topic != "in" || pe.Offset != 100 {
		t.Errorf("error %v", err)
	}
	if _, _, again := f.Read(10); !errors.Is(again, err) {
		t.Errorf("then %v", again)
	}
	r.end(f)
}

func TestReleaseOfAnOpenFeedIsAMistake(t *testing.T) {
	r := setup(t, 1)
	f := r.open(0, 0)
	defer r.end(f)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f.Release()
}
