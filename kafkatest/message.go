package kafkatest

import (
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

// MessageOption sets a field of a message.
type MessageOption func(*processor.Message)

// NewMessage returns a message of partition 0 at offset 0 with a value, which is
// a string or bytes. Recorder or another Sender binds it.
func NewMessage[V ~string | ~[]byte](topic string, value V, opts ...MessageOption) *processor.Message {
	m := Tombstone(topic)
	m.Value = append([]byte{}, value...)
	for _, o := range opts {
		o(m)
	}
	return m
}

// Tombstone returns a message with a nil value.
func Tombstone(topic string, opts ...MessageOption) *processor.Message {
	m := &processor.Message{Topic: topic}
	for _, o := range opts {
		o(m)
	}
	return m
}

// NewMessages returns messages of partition 0, at offsets 0, 1, 2 and so on.
func NewMessages[V ~string | ~[]byte](topic string, values ...V) []*processor.Message {
	ms := make([]*processor.Message, len(values))
	for i, v := range values {
		ms[i] = NewMessage(topic, v, At(0, int64(i)))
	}
	return ms
}

// Key sets the key.
func Key(key string) MessageOption {
	return func(m *processor.Message) { m.Key = []byte(key) }
}

// At sets partition and offset.
func At(partition int32, offset int64) MessageOption {
	return func(m *processor.Message) { m.Partition, m.Offset = partition, offset }
}

// Header appends a header.
func Header(key, value string) MessageOption {
	return func(m *processor.Message) {
		m.Headers = append(m.Headers, processor.Header{Key: key, Value: []byte(value)})
	}
}

// Timestamp sets the timestamp.
func Timestamp(at time.Time) MessageOption {
	return func(m *processor.Message) { m.Timestamp = at }
}

// NextAttempt sets the number of the attempt that a Recorder makes next; by
// default it is 1, and one more each time that the message is run.
func NextAttempt(n int) MessageOption {
	return func(m *processor.Message) { m.Attempt = n - 1 }
}
