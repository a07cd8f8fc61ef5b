package processor

import (
	"context"
	"time"
)

// Header is one record header. A record may repeat a key; order is kept.
// Value nil and Value empty are different on the wire and stay different here.
type Header struct {
	Key   string
	Value []byte
}

// Partition names one partition of one topic.
type Partition struct {
	Topic     string
	Partition int32
}

// Message is one consumed record, bound to the attempt that processes it.
//
// Key, Value and header values are read-only and may be retained after the
// attempt: they are never reused. Key and Value are nil when the record has
// none (a tombstone has a nil Value), and empty but not nil when it has an
// empty one.
type Message struct {
	Topic     string
	Partition int32
	Offset    int64
	Key       []byte
	Value     []byte
	Headers   []Header
	// Timestamp is the record's create or log append time, in milliseconds
	// resolution; zero when the record has none.
	Timestamp time.Time
	// Attempt counts the runs of this message on this member, 1 first. It
	// starts again after a restart and on another member.
	Attempt int

	sender Sender
	index  int
}

// Sender takes the records that an attempt sends. Runners and test kits
// implement it; processors use Message.Send.
type Sender interface {
	// Send takes a record for the message with this index in its unit (0 for
	// a single message).
	Send(ctx context.Context, index int, r Record) error
}

// Bind ties the message to the sender of one attempt. It is for runners and
// test kits, which call it before each attempt.
func (m *Message) Bind(s Sender, index, attempt int) {
	m.sender, m.index, m.Attempt = s, index, attempt
}

// Send hands a record to the producer on behalf of this attempt and returns at
// once; it waits only while the producer's queue is full, and then until ctx
// ends. It is safe for concurrent use.
//
// The attempt settles only when all records that it sent are acknowledged. An
// error that Send returns fails the attempt even when the processor ignores it.
// After Process has returned, Send answers ErrAttemptEnded; on a message that
// no runner has bound, ErrNotBound.
func (m *Message) Send(ctx context.Context, r Record) error {
	if m.sender == nil {
		return ErrNotBound
	}
	return m.sender.Send(ctx, m.index, r)
}

// TopicPartition returns the partition that the message was read from.
func (m *Message) TopicPartition() Partition {
	return Partition{Topic: m.Topic, Partition: m.Partition}
}
