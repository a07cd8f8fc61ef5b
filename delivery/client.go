package delivery

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// Client is what a generation needs of the Kafka client. *kafka.Producer is the
// one that counts; tests put a fake behind it.
//
// Produce copies key, value and headers before it returns and keeps only the
// opaque value of the message. Close closes the channel of Events.
type Client interface {
	Produce(m *kafka.Message, deliveryCh chan kafka.Event) error
	Events() chan kafka.Event
	Flush(timeoutMs int) int
	Purge(flags int) error
	GetFatalError() error
	Close()
}

// openFunc makes the client of a generation.
type openFunc func(properties map[string]string) (Client, error)

// openKafka makes a librdkafka producer. The binding wants the properties of its
// own ("go.") with a Go type; all others it passes on as text.
func openKafka(properties map[string]string) (Client, error) {
	conf := make(kafka.ConfigMap, len(properties))
	for name, value := range properties {
		if !strings.HasPrefix(name, "go.") {
			conf[name] = value
			continue
		}
		if number, err := strconv.Atoi(value); err == nil {
			conf[name] = number
			continue
		}
		conf[name] = value
	}
	client, err := kafka.NewProducer(&conf)
	if err != nil {
		return nil, fmt.Errorf("open kafka producer: %w", err)
	}
	return client, nil
}
