package admin

import (
	"errors"
	"fmt"
	"strings"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

var (
	// ErrClosed is what calls after Close answer.
	ErrClosed = errors.New("the admin client is closed")

	// ErrAbandoned is what Close answers when the client did not close in time.
	// Its threads stay until the call that holds it ends, at the latest with the
	// process.
	ErrAbandoned = errors.New("the admin client did not close in time and was abandoned")

	// ErrUnknownTopic says that a topic or partition does not exist, or may not
	// be described. Create it, or correct the name.
	ErrUnknownTopic = errors.New("unknown topic or partition")

	// ErrNotAuthorized says that the principal lacks a right: DESCRIBE on the
	// topic, READ on the group.
	ErrNotAuthorized = errors.New("not authorized")

	// ErrLeaderUnreachable says that the leader of a partition did not answer. It
	// never means that the partition is empty.
	ErrLeaderUnreachable = errors.New("the leader of the partition cannot be reached")
)

// Error is a question that has no answer.
type Error struct {
	// Asked is what was asked: "describe topic orders".
	Asked string
	// Code is the client's error code, or 0.
	Code int
	// Cause is the client's error, or that of the context.
	Cause error
	// Connection is the client's latest connection error, or nil. With no broker
	// in reach it is the reason behind a time-out.
	Connection error
}

// Error implements error.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %v", e.Asked, e.Cause)
	if e.Connection != nil {
		fmt.Fprintf(&b, " (the client's latest error: %v)", e.Connection)
	}
	return b.String()
}

// Unwrap returns the sentinel that the code stands for, if there is one, the
// cause and the connection error.
func (e *Error) Unwrap() []error {
	var all []error
	switch kafka.ErrorCode(e.Code) {
	case kafka.ErrUnknownTopicOrPart, kafka.ErrUnknownTopic, kafka.ErrUnknownPartition, kafka.ErrTopicException:
		all = append(all, ErrUnknownTopic)
	case kafka.ErrTopicAuthorizationFailed, kafka.ErrGroupAuthorizationFailed, kafka.ErrClusterAuthorizationFailed:
		all = append(all, ErrNotAuthorized)
	case kafka.ErrLeaderNotAvailable, kafka.ErrNotLeaderForPartition, kafka.ErrReplicaNotAvailable, kafka.ErrBrokerNotAvailable:
		all = append(all, ErrLeaderUnreachable)
	}
	all = append(all, e.Cause)
	if e.Connection != nil {
		all = append(all, e.Connection)
	}
	return all
}

// newError makes the error of a question; cause is not nil.
func newError(asked string, cause error) *Error {
	e := &Error{Asked: asked, Cause: cause}
	if k, ok := errors.AsType[kafka.Error](cause); ok {
		e.Code = int(k.Code())
	}
	return e
}

func isCode(err error, code kafka.ErrorCode) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == int(code)
}

// failed is nil for the client's "no error".
func failed(asked string, err kafka.Error) error {
	if err.Code() == kafka.ErrNoError {
		return nil
	}
	return newError(asked, err)
}
