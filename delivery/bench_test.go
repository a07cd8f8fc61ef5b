package delivery_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/processor"
)

// The pair below is read together: the same client, properties and broker, 100
// byte values, once bare and once through attempts.

func blackhole(b *testing.B) map[string]string {
	b.Helper()
	broker, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(6, "out"), kfake.BlackholeProduce())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(broker.Close)
	return map[string]string{"bootstrap.servers": strings.Join(broker.ListenAddrs(), ",")}
}

func BenchmarkBareProducer(b *testing.B) {
	conf := kafka.ConfigMap{}
	for name, value := range delivery.Properties(delivery.Config{Properties: blackhole(b)}) {
		if number, err := strconv.Atoi(value); err == nil && strings.HasPrefix(name, "go.") {
			conf[name] = number
			continue
		}
		conf[name] = value
	}
	p, err := kafka.NewProducer(&conf)
	if err != nil {
		b.Fatal(err)
	}
	topic, value := "out", make([]byte, 100)
	acked := make(chan struct{})
	go func() {
		defer close(acked)
		n := 0
		for e := range p.Events() {
			if m, ok := e.(*kafka.Message); ok && m.TopicPartition.Error == nil {
				if n++; n == b.N {
					return
				}
			}
		}
	}()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		m := &kafka.Message{TopicPartition: kafka.TopicPartition{Topic: &topic, Partition: int32(i % 6)}, Value: value, Opaque: i}
		for p.Produce(m, nil) != nil {
			p.Flush(10)
		}
	}
	<-acked
	b.StopTimer()
	go func() {
		for range p.Events() { // the client closes only when they are read
		}
	}()
	p.Close()
}

func BenchmarkProducer(b *testing.B) {
	for _, size := range []int{1, 100} {
		b.Run("records="+strconv.Itoa(size), func(b *testing.B) {
			p, err := delivery.New(delivery.Config{Properties: blackhole(b)})
			if err != nil {
				b.Fatal(err)
			}
			runAttempts(b, p, size)
			if err := p.Close(context.Background()); err != nil {
				b.Error(err)
			}
		})
	}
}

// runAttempts sends b.N records in attempts of this size, without waiting for one
// attempt before the next, and waits for all at the end.
func runAttempts(b *testing.B, p *delivery.Producer, size int) {
	b.Helper()
	value := make([]byte, 100)
	partitions := [6]int32{0, 1, 2, 3, 4, 5}
	attempts := (b.N + size - 1) / size
	done := make(chan struct{}, 1) // the last of all
	left := attempts               // reports come on one goroutine, End may be inside Send's
	acked := make(chan struct{}, 1<<16)
	go func() {
		for range acked {
			if left--; left == 0 {
				done <- struct{}{}
				return
			}
		}
	}()
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; {
		a := p.Begin()
		for range min(size, b.N-i) {
			r := processor.Record{Topic: "out", Value: value, Partition: &partitions[i%6]}
			if err := a.Send(context.Background(), 0, r); err != nil {
				b.Fatal(err)
			}
			i++
		}
		a.End(func() { acked <- struct{}{} })
	}
	<-done
	b.StopTimer()
}

// instant is a client that acknowledges at once: what is left is this package.
type instant struct{ events chan kafka.Event }

func (c instant) Produce(m *kafka.Message, _ chan kafka.Event) error {
	c.events <- &kafka.Message{Opaque: m.Opaque}
	return nil
}
func (c instant) Events() chan kafka.Event { return c.events }
func (c instant) Flush(int) int            { return len(c.events) }
func (c instant) Purge(int) error          { return nil }
func (c instant) GetFatalError() error     { return nil }
func (c instant) Close()                   { close(c.events) }

func BenchmarkOverhead(b *testing.B) {
	for _, size := range []int{1, 100} {
		b.Run("records="+strconv.Itoa(size), func(b *testing.B) {
			p, err := delivery.NewWithClient(delivery.Config{Properties: map[string]string{"bootstrap.servers": "instant:9092"}},
				instant{make(chan kafka.Event, 1000)})
			if err != nil {
				b.Fatal(err)
			}
			runAttempts(b, p, size)
			if err := p.Close(context.Background()); err != nil {
				b.Error(err)
			}
		})
	}
}
