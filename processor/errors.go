package processor

import "errors"

var (
	// ErrAttemptEnded is what Send answers when the attempt of its message has
	// already returned. The record was not written. Send before Process
	// returns: wait for the goroutines that Process started.
	ErrAttemptEnded = errors.New("send record: the attempt of this message has ended")

	// ErrNotBound is what Send answers on a message that no runner and no test
	// kit has bound to an attempt.
	ErrNotBound = errors.New("send record: the message is not bound to an attempt")
)
