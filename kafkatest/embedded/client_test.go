package embedded_test

import (
	"context"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/kafkatest/embedded"
)

// deadline bounds every wait of these tests.
func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// protocols are the group protocols that a broker must know, as client settings.
func protocols() map[string]kafka.ConfigMap {
	return map[string]kafka.ConfigMap{
		"range":              {"partition.assignment.strategy": "range", "session.timeout.ms": 2000, "heartbeat.interval.ms": 200},
		"cooperative-sticky": {"partition.assignment.strategy": "cooperative-sticky", "session.timeout.ms": 2000, "heartbeat.interval.ms": 200},
		"consumer":           {"group.protocol": "consumer"},
	}
}

type consumer struct {
	*kafka.Consumer
	t *testing.T
}

func newConsumer(t *testing.T, b *embedded.Broker, settings kafka.ConfigMap) *consumer {
	t.Helper()
	cfg := kafka.ConfigMap{
		"bootstrap.servers": b.Bootstrap(), "group.id": "g", "auto.offset.reset": "earliest",
		"enable.auto.commit": false, "enable.auto.offset.store": false, "fetch.wait.max.ms": 50, "enable.metrics.push": false,
	}
	maps.Copy(cfg, settings)
	c, err := kafka.NewConsumer(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	out := &consumer{c, t}
	t.Cleanup(out.close)
	return out
}

func (c *consumer) close() {
	if !c.IsClosed() {
		if err := c.Close(); err != nil {
			c.t.Error(err)
		}
	}
}

// poll returns the next message, or nil after a moment.
func (c *consumer) poll() *kafka.Message {
	switch e := c.Poll(100).(type) {
	case *kafka.Message:
		return e
	case kafka.Error:
		if e.IsFatal() {
			c.t.Fatalf("consumer: %v", e)
		}
	}
	return nil
}

// read polls until n messages have come.
func (c *consumer) read(ctx context.Context, n int) []*kafka.Message {
	c.t.Helper()
	var out []*kafka.Message
	for len(out) < n {
		if ctx.Err() != nil {
			c.t.Fatalf("read %d of %d messages", len(out), n)
		}
		if m := c.poll(); m != nil {
			if m.TopicPartition.Error != nil {
				c.t.Fatal(m.TopicPartition.Error)
			}
			out = append(out, m)
		}
	}
	return out
}

func newProducer(t *testing.T, b *embedded.Broker, settings kafka.ConfigMap) *kafka.Producer {
	t.Helper()
	cfg := kafka.ConfigMap{
		"bootstrap.servers": b.Bootstrap(), "acks": "all", "enable.idempotence": true, "linger.ms": 5, "enable.metrics.push": false,
	}
	maps.Copy(cfg, settings)
	p, err := kafka.NewProducer(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// send produces values to a partition and waits for their reports.
func send(t *testing.T, p *kafka.Producer, topic string, partition int32, values ...string) []*kafka.Message {
	t.Helper()
	reportCh := make(chan kafka.Event, len(values)) // one report each
	for _, v := range values {
		if err := p.Produce(&kafka.Message{
			TopicPartition: kafka.TopicPartition{Topic: &topic, Partition: partition},
			Key:            []byte("k" + v), Value: []byte(v),
			Headers: []kafka.Header{{Key: "h", Value: nil}, {Key: "h", Value: []byte{}}},
		}, reportCh); err != nil {
			t.Fatal(err)
		}
	}
	var out []*kafka.Message
	ctx := deadline(t)
	for range values {
		select {
		case e := <-reportCh:
			m, ok := e.(*kafka.Message)
			if !ok {
				t.Fatalf("report %v", e)
			}
			out = append(out, m)
		case <-ctx.Done():
			t.Fatalf("%d of %d reports", len(out), len(values))
		}
	}
	return out
}

func numbers(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(i)
	}
	return out
}
