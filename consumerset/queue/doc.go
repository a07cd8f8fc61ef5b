// Package queue reads the messages of one assigned partition from a client queue
// of its own, past the client's shared queue.
//
// What is not read is not fetched: a partition that nobody reads stops its own
// fetcher at queued.max.messages.kbytes, so back-pressure needs no pause, and one
// slow partition does not hold up the others.
//
// # Lifecycle
//
//	Open     before the client's Assign or IncrementalAssign: takes the queue out of
//	         the shared one and arms its wake-up. A new feed for every assignment.
//	Read     by the lane. Never blocks; all C messages are freed before it returns.
//	Close    before the partition is unassigned, or before the client is closed.
//	         Reads answer [lane.ErrFeedClosed] and never touch the client again.
//	Release  after Unassign: disarms, throws away what is queued, gives the queue back.
//
// The hub is closed last, when every feed is released or at least disarmed: the
// client writes into whatever has the number of a closed descriptor.
//
// # Concurrency
//
// The member's goroutine calls everything but Read and Wake, which are the lane's.
// A feed's mutex covers Read, Close and Release; it is held only for calls that do
// not block. Because Close waits for a running Read and forbids the next one, a lane
// that hangs in user code holds nothing of the client and never stands in the way
// of closing it.
//
// # Failure
//
// The binding does not export the client's handle, so [NewHub] finds it by
// reflection and checks every step; a client with another layout is an error that
// wraps [ErrUnavailable], never a crash, and the caller reads by Poll instead. The
// same holds on anything but Linux. Errors of the partition come out of Read as
// [*PartitionError].
package queue
