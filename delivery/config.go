package delivery

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/pitlane-go/pitlane/event"
)

// Defaults and limits of Config.
const (
	// TimeoutDefault is the client's message time-out.
	TimeoutDefault = 120 * time.Second
	// TimeoutMin is the shortest message time-out. One that is shorter than an
	// outage makes an idempotent producer write acknowledged records twice
	// (measured: 76 to 190 of 4,280); with 60 s and more there were none.
	TimeoutMin = 60 * time.Second
	// BufferMaxBytesDefault is the memory of the process for messages.
	BufferMaxBytesDefault int64 = 64 << 20
)

// Config makes a Producer. The zero value of a field means its default.
type Config struct {
	// Properties are librdkafka properties: bootstrap.servers (required),
	// security, and whatever the user sets for the producer. They go over the
	// defaults of this room; those that would break a promise are refused, see
	// CheckProperty.
	Properties map[string]string
	// Timeout is how long the client tries to deliver a record before its report
	// fails. Default 120 s, at least 60 s. To stop waiting earlier, hold the
	// input and keep the producer.
	Timeout time.Duration
	// BufferMaxBytes is the memory for messages in this process; the queue of the
	// producer takes a quarter of it. Default 64 MiB.
	BufferMaxBytes int64
	// Events takes errors that the client recovers from by itself, at a limited
	// rate, and the fatal one. Default: dropped.
	Events event.Sink
}

func (c Config) withDefaults() Config {
	if c.Timeout == 0 {
		c.Timeout = TimeoutDefault
	}
	if c.BufferMaxBytes == 0 {
		c.BufferMaxBytes = BufferMaxBytesDefault
	}
	if c.Events == nil {
		c.Events = event.Discard
	}
	return c
}

func (c Config) validate() error {
	var problems []error
	if c.Timeout < TimeoutMin {
		problems = append(problems, fmt.Errorf("timeout: %v is below %v: a time-out that is shorter than an outage makes the client write acknowledged records twice", c.Timeout, TimeoutMin))
	}
	if c.BufferMaxBytes < 0 {
		problems = append(problems, fmt.Errorf("buffer max bytes: %d is negative", c.BufferMaxBytes))
	}
	for name, value := range c.Properties {
		if err := CheckProperty(name, value); err != nil {
			problems = append(problems, fmt.Errorf("properties: %w", err))
		}
	}
	properties := Properties(c)
	if properties[bootstrapServers] == "" {
		problems = append(problems, errors.New("properties: bootstrap.servers is missing"))
	}
	if err := checkQueue(c, properties); err != nil {
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// checkQueue compares the queue's size with the share of the memory that it may
// take, and with the largest record: one that is larger than the whole queue
// would wait for room for ever.
func checkQueue(c Config, properties map[string]string) error {
	queue, err := strconv.ParseInt(properties[queueMaxKbytes], 10, 64)
	if err != nil {
		return fmt.Errorf("properties: %s: %w", queueMaxKbytes, err)
	}
	if share := queueKbytes(c, properties); queue > share {
		return fmt.Errorf("properties: %s: %d KiB is above the producer's share of the buffer, %d KiB: raise buffer.max_bytes instead", queueMaxKbytes, queue, share)
	}
	if record := messageMaxBytes(properties); queue*1024 < record {
		return fmt.Errorf("properties: %s: %d KiB is less than one record may have (message.max.bytes, %d): such a record would wait for ever", queueMaxKbytes, queue, record)
	}
	return nil
}
