package consumerset

import (
	"errors"
	"fmt"

	"github.com/pitlane-go/pitlane/consumerset/queue"
	"github.com/pitlane-go/pitlane/processor"
)

var (
	// ErrRevoked ends the context of attempts that did not return before their
	// partition had to be given back.
	ErrRevoked = errors.New("partition revoked before the attempt ended")

	// ErrLost ends the context of attempts whose partition is another member's
	// already. Nothing of them is committed.
	ErrLost = errors.New("partition lost")

	// ErrStopped ends the context of attempts that did not return before the
	// time to stop was over.
	ErrStopped = errors.New("stopped before the attempt ended")

	// ErrFatal says that the client cannot go on. It is wrapped with the client's reason.
	ErrFatal = errors.New("client failed for good")

	// ErrStray says that a message came by the shared queue though its partition has a
	// queue of its own. Going on would skip it.
	ErrStray = errors.New("message outside of its partition's queue")

	// ErrUnreadable says that the client found a batch that it cannot read, where
	// messages come by Poll. The error names no partition, and the client goes on
	// behind the batch: going on would skip it.
	ErrUnreadable = errors.New("batch cannot be read")

	// ErrNoStart says that the group has no commit for the partition and start is none.
	ErrNoStart = errors.New("no committed offset, and start is none")

	// ErrHookOverran is the cause of an event.HookFailed: the hook did not return
	// before its deadline, or not before the end of its member. It may still run.
	ErrHookOverran = errors.New("did not return before its deadline")

	// errUnanswered: an offset could not be looked up; it is asked for again.
	errUnanswered = errors.New("look up offset: no answer")
)

// PartitionError is an error that the client reports for one partition.
type PartitionError = queue.PartitionError

// AssignError says that the client refused an assignment call. The group would
// stand still, so the member ends.
type AssignError struct {
	Member string
	// Call is the client's function.
	Call       string
	Partitions []processor.Partition
	Cause      error
}

// Error implements error.
func (e *AssignError) Error() string {
	return fmt.Sprintf("%s %d partitions on %s: %v", e.Call, len(e.Partitions), e.Member, e.Cause)
}

// Unwrap returns the client's error.
func (e *AssignError) Unwrap() error { return e.Cause }

// ClientSetupError says that a client could not be made. The cause names the property.
type ClientSetupError struct {
	Member string
	Cause  error
}

// Error implements error.
func (e *ClientSetupError) Error() string {
	return fmt.Sprintf("make consumer of %s: %v", e.Member, e.Cause)
}

// Unwrap returns the client's error.
func (e *ClientSetupError) Unwrap() error { return e.Cause }

// MemberError says that a member ended by itself.
type MemberError struct {
	Member string
	Cause  error
}

// Error implements error.
func (e *MemberError) Error() string { return fmt.Sprintf("member %s ended: %v", e.Member, e.Cause) }

// Unwrap returns the reason.
func (e *MemberError) Unwrap() error { return e.Cause }

// PropertyError refuses a raw property that would break a promise, or that has a
// setting of its own.
type PropertyError struct {
	Name, Value string
	Reason      string
}

// Error implements error.
func (e *PropertyError) Error() string {
	return fmt.Sprintf("set consumer property %s: %s", e.Name, e.Reason)
}
