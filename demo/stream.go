package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pitlane-go/pitlane/examples/earthquakes/data"
	"github.com/pitlane-go/pitlane/kafkatest"
)

// streamTick is how often a portion of the stream is sent.
const streamTick = 20 * time.Millisecond

// stream sends the week in a loop, with another client library than the one that
// is on show. In each round every earthquake gets an id of its own.
type stream struct {
	client   *kgo.Client
	features []data.Feature
	rate     int
	// sent is told of each acknowledged earthquake; it may be nil.
	sent sentFunc

	mu  sync.Mutex
	err error
}

// sentFunc takes the id that an earthquake got, what it is, and where it went.
type sentFunc func(id string, f data.Feature, at kafkatest.Position)

func newStream(broker string, rate int, sent sentFunc) (*stream, error) {
	features, err := data.Features()
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(
		kgo.SeedBrokers(broker), kgo.ClientID("earthquakes"), kgo.DefaultProduceTopic(inputTopic),
		kgo.ProducerLinger(0),
		// The week has few keys. Java's hash puts them where any other Kafka
		// producer would.
		kgo.RecordPartitioner(kgo.StickyKeyPartitioner(nil)),
	)
	if err != nil {
		return nil, fmt.Errorf("stream earthquakes: %w", err)
	}
	return &stream{client: client, features: features, rate: rate, sent: sent}, nil
}

// run sends until ctx ends, waits for the acknowledgements and closes the client.
func (s *stream) run(ctx context.Context) error {
	defer s.client.Close()
	tick := time.NewTicker(streamTick)
	defer tick.Stop()
	start, n := time.Now(), 0
	for ctx.Err() == nil {
		for due := int(time.Since(start).Seconds() * float64(s.rate)); n < due; n++ {
			s.send(context.WithoutCancel(ctx), n)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
	flush, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := s.client.Flush(flush)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(err, s.err); err != nil {
		return fmt.Errorf("stream earthquakes: %w", err)
	}
	return nil
}

// send hands over the nth earthquake of the stream.
func (s *stream) send(ctx context.Context, n int) {
	f := s.features[n%len(s.features)]
	id := fmt.Sprintf("%s-%d", f.ID, n/len(s.features)+1)
	record := &kgo.Record{Key: []byte(f.Network), Value: renamed(f, id)}
	s.client.Produce(ctx, record, func(r *kgo.Record, err error) {
		if err != nil {
			s.mu.Lock()
			s.err = err
			s.mu.Unlock()
			return
		}
		if s.sent == nil {
			return
		}
		s.sent(id, f, kafkatest.Position{Topic: r.Topic, Partition: r.Partition, Offset: r.Offset})
	})
}

// renamed is the feature's JSON with another id.
func renamed(f data.Feature, id string) []byte {
	return bytes.Replace(f.JSON, []byte(`"id":"`+f.ID+`"`), []byte(`"id":"`+id+`"`), 1)
}
