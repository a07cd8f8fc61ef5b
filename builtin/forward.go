package builtin

import (
	"context"
	"errors"

	"github.com/pitlane-go/pitlane/processor"
)

// ErrNoTopic is what a Forward without a topic answers to its configuration.
// Set processor.forward.topic.
var ErrNoTopic = errors.New("topic is not set: name the topic to forward to")

// ForwardConfig is the block processor.forward.
type ForwardConfig struct {
	// Topic is the topic to forward to.
	Topic string `yaml:"topic"`
	// KeepPartition writes every message to the partition with the number that
	// it was read from, instead of choosing one by its key. The topic then
	// needs at least as many partitions as those that are read.
	KeepPartition bool `yaml:"keep_partition"`
}

// Validate says what is missing.
func (c *ForwardConfig) Validate() error {
	if c.Topic == "" {
		return ErrNoTopic
	}
	return nil
}

// Forward sends every message to a topic: key and value, nil and empty kept
// apart, headers with their order and repeats, and the timestamp.
type Forward struct {
	config ForwardConfig
}

// NewForward makes a Forward.
func NewForward() processor.Processor { return &Forward{} }

// Config implements processor.Configurer.
func (f *Forward) Config() any { return &f.config }

// Process implements processor.Processor.
func (f *Forward) Process(ctx context.Context, m *processor.Message) error {
	r := processor.Record{
		Topic: f.config.Topic, Key: m.Key, Value: m.Value,
		Headers: m.Headers, Timestamp: m.Timestamp,
	}
	if f.config.KeepPartition {
		partition := m.Partition
		r.Partition = &partition
	}
	return m.Send(ctx, r)
}
