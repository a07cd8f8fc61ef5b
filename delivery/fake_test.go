package delivery_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/delivery"
)

// fake is a client whose reports the test sends: any order, twice, or of nobody.
type fake struct {
	// refuse, if not nil, answers Produce. Set it before the first send.
	refuse func(m *kafka.Message) error
	// capacity is the size of the queue; 0 is without bound.
	capacity int
	// closeGate, if not nil, holds Close until it is closed.
	closeGate chan struct{}

	events chan kafka.Event

	mu        sync.Mutex
	cond      *sync.Cond
	queue     []kafka.Message // sent and without a report
	tries     int
	reporting int // reports on their way to the events
	purged    bool
	closed    bool
	onFatal   error
}

func newFake() *fake {
	// One slot: what the producer does not drain blocks the test at once.
	f := &fake{events: make(chan kafka.Event, 1)}
	f.cond = sync.NewCond(&f.mu)
	return f
}

// produce makes a producer over f. The test closes it.
func (f *fake) producer(t testing.TB, cfg delivery.Config) *delivery.Producer {
	t.Helper()
	cfg.Properties = map[string]string{"bootstrap.servers": "fake:9092"}
	p, err := delivery.NewWithClient(cfg, f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (f *fake) Produce(m *kafka.Message, _ chan kafka.Event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tries++
	f.cond.Broadcast()
	if f.closed {
		return kafka.NewError(kafka.ErrState, "closed", false)
	}
	if f.refuse != nil {
		if err := f.refuse(m); err != nil {
			return err
		}
	}
	if f.capacity > 0 && len(f.queue) >= f.capacity {
		return kafka.NewError(kafka.ErrQueueFull, "", false)
	}
	// As the real client: the message itself is not kept.
	topic := *m.TopicPartition.Topic
	kept := kafka.Message{Opaque: m.Opaque, Value: append([]byte(nil), m.Value...)}
	kept.TopicPartition = kafka.TopicPartition{Topic: &topic, Partition: 7}
	f.queue = append(f.queue, kept)
	return nil
}

// take removes the i-th record of the queue without a report.
func (f *fake) take(i int) (kafka.Message, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i >= len(f.queue) {
		return kafka.Message{}, false
	}
	m := f.queue[i]
	f.queue = append(f.queue[:i:i], f.queue[i+1:]...)
	f.cond.Broadcast()
	return m, true
}

// report sends the report of m; code 0 acknowledges it.
func (f *fake) report(m kafka.Message, code kafka.ErrorCode) {
	m.Value = nil
	if code != 0 {
		m.TopicPartition.Error = kafka.NewError(code, "", false)
	}
	f.events <- &m
}

// settle returns when all events before it have been dealt with: the second one
// finds room in the channel only when the first is out of it.
func (f *fake) settle() {
	f.events <- &kafka.Stats{}
	f.events <- &kafka.Stats{}
}

func (f *fake) ack(t testing.TB, i int) {
	t.Helper()
	f.mu.Lock()
	f.reporting++ // Flush waits for it
	f.mu.Unlock()
	m, ok := f.take(i)
	if !ok {
		t.Fatalf("the client has no record %d", i)
	}
	f.report(m, 0)
	f.mu.Lock()
	f.reporting--
	f.cond.Broadcast()
	f.mu.Unlock()
}

func (f *fake) Events() chan kafka.Event { return f.events }

func (f *fake) Flush(timeoutMs int) int {
	stop := time.AfterFunc(time.Duration(timeoutMs)*time.Millisecond, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.cond.Broadcast()
	})
	defer stop.Stop()
	end := time.Now().Add(time.Duration(timeoutMs) * time.Millisecond)
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue)+f.reporting > 0 && time.Now().Before(end) {
		f.cond.Wait()
	}
	return len(f.queue) + f.reporting
}

func (f *fake) Purge(flags int) error {
	if flags&kafka.PurgeInFlight == 0 || flags&kafka.PurgeQueue == 0 {
		return errors.New("a purge of one half leaves records without a report")
	}
	f.mu.Lock()
	f.purged = true
	f.mu.Unlock()
	for {
		m, ok := f.take(0)
		if !ok {
			return nil
		}
		f.report(m, kafka.ErrPurgeInflight)
	}
}

func (f *fake) GetFatalError() error { return f.onFatal }

func (f *fake) Close() {
	if f.closeGate != nil {
		<-f.closeGate
	}
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	close(f.events)
}
