package cluster

import (
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Header is one header of a record.
type Header struct {
	Key   string
	Value []byte // nil and empty differ
}

// Record is a record to produce or one that was read.
type Record struct {
	Topic     string // set by reading
	Partition int32
	Offset    int64     // set by reading, and by Produce
	Key       []byte    // nil and empty differ
	Value     []byte    // nil and empty differ
	Headers   []Header  // in order, keys may repeat
	Timestamp time.Time // zero: the time of the call of Produce
}

func (r *Record) kafka(topic string) *kgo.Record {
	out := &kgo.Record{Topic: topic, Partition: r.Partition, Key: r.Key, Value: r.Value, Timestamp: r.Timestamp}
	for _, h := range r.Headers {
		out.Headers = append(out.Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
	}
	return out
}

func recordOf(r *kgo.Record) Record {
	out := Record{
		Topic: r.Topic, Partition: r.Partition, Offset: r.Offset,
		Key: r.Key, Value: r.Value, Timestamp: r.Timestamp,
	}
	for _, h := range r.Headers {
		out.Headers = append(out.Headers, Header{Key: h.Key, Value: h.Value})
	}
	return out
}
