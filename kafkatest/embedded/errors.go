package embedded

import "errors"

var (
	// ErrNoSuchTopic is returned for a topic or partition that does not exist.
	ErrNoSuchTopic = errors.New("no such topic or partition")
	// ErrBadCode is returned by FailNext for a number that is no Kafka error.
	ErrBadCode = errors.New("not a Kafka error code")
)
