package delivery

import (
	"strings"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/processor"
)

// topicNameMax is Kafka's limit of a topic name.
const topicNameMax = 249

// checkRecord names what the client would not refuse but alter, or answer with
// a panic: it cuts names at a zero byte, and its binding panics on a topic that
// it cannot name. An empty text means that the record is fine.
func checkRecord(r *processor.Record) (kafka.ErrorCode, string) {
	switch {
	case r.Topic == "":
		return kafka.ErrTopicException, "the topic's name is empty"
	case len(r.Topic) > topicNameMax:
		return kafka.ErrTopicException, "the topic's name is longer than 249 bytes"
	case strings.IndexByte(r.Topic, 0) >= 0:
		return kafka.ErrTopicException, "the topic's name has a zero byte"
	case r.Partition != nil && *r.Partition < 0:
		return kafka.ErrInvalidArg, "the partition is negative"
	case !r.Timestamp.IsZero() && (r.Timestamp.Unix() < 0 || r.Timestamp.Unix() > timestampMax):
		return kafka.ErrInvalidTimestamp, "the timestamp is before 1970 or after 2262"
	}
	for i := range r.Headers {
		if strings.IndexByte(r.Headers[i].Key, 0) >= 0 {
			return kafka.ErrInvalidArg, "the key of a header has a zero byte"
		}
	}
	return kafka.ErrNoError, ""
}

// timestampMax is the last second that the binding, which counts nanoseconds,
// can express.
const timestampMax = (1<<63 - 1) / int64(time.Second)

// outgoing is the message of one Produce with what it points to, in one piece
// that is used again: the client copies all of it but the opaque value.
type outgoing struct {
	message kafka.Message
	topic   string
	headers []kafka.Header
}

// headersKept bounds what a pooled outgoing holds on to.
const headersKept = 64

// outgoing fills a message. The client tells nil from empty in key, value
// and header values, and so does the broker.
func (g *generation) outgoing(r *processor.Record) *outgoing {
	o, ok := g.pool.Get().(*outgoing)
	if !ok {
		o = &outgoing{}
	}
	o.topic = r.Topic
	o.message.TopicPartition.Topic = &o.topic
	o.message.TopicPartition.Partition = kafka.PartitionAny
	if r.Partition != nil {
		o.message.TopicPartition.Partition = *r.Partition
	}
	o.message.Key, o.message.Value = r.Key, r.Value
	o.message.Timestamp = r.Timestamp
	for i := range r.Headers {
		o.headers = append(o.headers, kafka.Header(r.Headers[i]))
	}
	o.message.Headers = o.headers
	return o
}

// release lets go of the record's bytes and returns the message to the pool.
func (g *generation) release(o *outgoing) {
	clear(o.headers)
	headers := o.headers[:0]
	if cap(headers) > headersKept {
		headers = nil
	}
	*o = outgoing{headers: headers}
	g.pool.Put(o)
}
