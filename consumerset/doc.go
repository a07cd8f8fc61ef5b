// Package consumerset keeps members in a consumer group and gives every assigned
// partition to a lane: it owns polling, assignment, feeds, commits and the order in
// which all of that ends. A message is lost here or nowhere.
//
// # Data path
//
//	client queue of a partition -> feed -> lane (pulls)
//	lane's position (an atomic) -> StoreOffsets -> Commit()
//
// No message passes through the member where the client gives out a queue per
// partition (package queue); the fallback fills the same kind of feed from Poll.
//
// # States of a member
//
//	joining -> assigning -> steady -> revoking -> joining ...
//	any -> closing -> closed | abandoned,  any -> failed -> closed | abandoned
//
// [State] and its table of legal moves are in state.go.
//
// # Concurrency
//
// A member's goroutine owns its client, its assignment and what was committed: it
// alone calls Poll, Assign, StoreOffsets, Pause and Resume. Rebalance callbacks run
// inside its Poll. Others post to its mailbox, which takes without blocking. Commit,
// lookups of offsets and hooks run beside the loop with deadlines and post their
// results. While a callback waits (for lanes to drain, for a commit) it serves the
// mailbox. Close of the client is called once, after the loop has ended, on a
// goroutine with a deadline; the callback that it runs only unassigns.
//
// The member starts the goroutine of a lane (go lane.Run()); the caller's StartLane
// only makes it. A set remembers the lanes of each partition that have not returned,
// so that a new one in this process starts nothing before the attempts of all of
// them have ended.
//
// # Offsets
//
// The client never looks an offset up by itself: a wrong answer to its request
// stalls every partition for ever. The assign callback asks once; what has no answer
// is asked for again beside the loop and assigned then, always with a concrete
// offset. What is really assigned is remembered, because unassigning anything else
// fails and stops the whole group.
//
// All commits go by StoreOffsets and Commit(), one in flight: stored offsets of
// partitions that are gone vanish with them, so a late answer cannot move a new
// owner back. That holds for a start offset too, which is committed at once: with no
// commit known, storing the first offset is progress.
//
// # Failure
//
// What the client recovers from by itself is an event. A fatal error of the client,
// or a refused assign call, fails the member: its lanes are fenced, [Config.Failed]
// is told, and [Set.Run] returns the reason. A client that does not close is
// abandoned and counted; with a commit pending it is not closed at all, because
// Close would wait for that commit without bound.
package consumerset
