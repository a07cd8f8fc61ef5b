package lane

import "errors"

var (
	// ErrFeedClosed is what a Feed answers after it was closed. It is not a
	// failure: the lane waits for its Stop.
	ErrFeedClosed = errors.New("read feed: closed")

	// ErrStopped is the cause that ends the contexts of a lane that was stopped
	// without a fence.
	ErrStopped = errors.New("lane stopped")
)
