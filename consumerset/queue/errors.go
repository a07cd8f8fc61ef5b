package queue

import (
	"errors"
	"fmt"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// ErrUnavailable says that this client gives out no queue of a partition (another
// layout or version than the one that was checked, or not Linux). Read by Poll
// instead.
var ErrUnavailable = errors.New("open partition queue: not available with this client")

// PartitionError is an error that the client reports for one partition.
type PartitionError struct {
	Topic     string
	Partition int32
	// Offset is where the client stood, or negative when it does not say.
	Offset int64
	// Code is the client's error code.
	Code int
	// Cause is the client's error.
	Cause error
}

// NewPartitionError makes one from the client's code and text.
func NewPartitionError(topic string, partition int32, offset int64, code int, text string) *PartitionError {
	return &PartitionError{
		Topic: topic, Partition: partition, Offset: offset, Code: code,
		Cause: kafka.NewError(kafka.ErrorCode(code), text, false),
	}
}

// Error implements error.
func (e *PartitionError) Error() string {
	return fmt.Sprintf("read %s[%d] at offset %d: %v", e.Topic, e.Partition, e.Offset, e.Cause)
}

// Unwrap returns the client's error.
func (e *PartitionError) Unwrap() error { return e.Cause }

// Dead tells whether only a new assignment cures the partition: the client has
// stopped fetching it, or would go on past records that it cannot read. All other
// errors it retries by itself.
func (e *PartitionError) Dead() bool {
	switch kafka.ErrorCode(e.Code) {
	case kafka.ErrAutoOffsetReset, kafka.ErrOffsetOutOfRange, kafka.ErrLogTruncation,
		kafka.ErrBadMsg, kafka.ErrBadCompression, kafka.ErrUnsupportedCompressionType,
		kafka.ErrNotImplemented, kafka.ErrMsgSizeTooLarge:
		return true
	default:
		return false
	}
}
