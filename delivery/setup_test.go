package delivery_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// bundle is an embedded broker with topic "out" (three partitions) and a
// producer on it.
type bundle struct {
	broker   *kfake.Cluster
	producer *delivery.Producer
	events   *eventLog
}

func setup(t *testing.T, properties map[string]string) *bundle {
	t.Helper()
	broker, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, "out"),
		kfake.BrokerConfigs(map[string]string{"log.retention.ms": "-1"}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	b := &bundle{broker: broker, events: &eventLog{}}
	all := map[string]string{"bootstrap.servers": strings.Join(broker.ListenAddrs(), ",")}
	maps.Copy(all, properties)
	b.producer, err = delivery.New(delivery.Config{Properties: all, Events: b.events.add})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := b.producer.Close(ctx); err != nil && !errors.Is(err, delivery.ErrUndelivered) {
			t.Errorf("close producer: %v", err)
		}
	})
	return b
}

// read returns the first n records of topic, in the order of each partition.
func (b *bundle) read(t *testing.T, topic string, n int) []*kgo.Record {
	t.Helper()
	reader, err := kgo.NewClient(kgo.SeedBrokers(b.broker.ListenAddrs()...),
		kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var records []*kgo.Record
	for len(records) < n {
		fetches := reader.PollFetches(ctx)
		if err := ctx.Err(); err != nil {
			t.Fatalf("read %s: %d of %d records: %v", topic, len(records), n, err)
		}
		records = append(records, fetches.Records()...)
	}
	return records
}

// deliver runs one attempt with these records and returns how it ended.
func (b *bundle) deliver(t *testing.T, records ...processor.Record) error {
	t.Helper()
	a := b.producer.Begin()
	for i, r := range records {
		_ = a.Send(t.Context(), i, r) // the attempt keeps it
	}
	return await(t, a)
}

// await ends an attempt and waits for its done.
func await(t *testing.T, a *delivery.Attempt) error {
	t.Helper()
	done := make(chan struct{})
	a.End(func() { close(done) })
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("the attempt was not resolved within 30 s")
	}
	return a.Err()
}

func record(format string, args ...any) processor.Record {
	return processor.Record{Topic: "out", Value: fmt.Appendf(nil, format, args...)}
}

// eventLog collects events.
type eventLog struct {
	mu  sync.Mutex
	all []event.Event
}

func (l *eventLog) add(_ time.Time, e event.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, e)
}

func (l *eventLog) clientErrors() []event.ClientError {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []event.ClientError
	for _, e := range l.all {
		if c, ok := e.(event.ClientError); ok {
			found = append(found, c)
		}
	}
	return found
}

func contextFor(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}
