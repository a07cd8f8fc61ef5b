// Package lane runs the processor for one partition and one assignment epoch.
// There is no Kafka client in it: it takes messages from a Feed, sends through a
// Sender, asks a Policy what follows a failure, and publishes a commit position.
//
// # States
//
// A lane runs units (a message, or a batch) one after the other. A unit is
// ready, running, waiting (for the delivery reports of its records) or settled;
// the commit position is the lowest offset that is not settled. The lane does
// not wait for one unit's reports before it starts the next: up to
// MaxOutstanding units are started and not yet settled; a lane that had to wait at
// this limit goes on when an eighth of it is free. If the reports of unit k
// say that a record failed, k and everything after it run again, in order, and
// one at a time until k is settled. Each of these runs gets messages of its own,
// so that what an earlier run left behind cannot send in its name.
//
// A batch may fall into parts: at the message that FailedAt names, or into single
// messages when it failed for good as a whole. A part is a unit of its own. What
// is below FailedAt keeps its attempt number; for what failed, counting begins
// anew, since the policy judges only what failed at the part's first message.
//
// A lane that starts nothing has a hold that says why, since when and until
// when (package pause).
//
// # Concurrency
//
// Run is the lane's goroutine: it alone reads the feed, runs the processor and
// asks the policy. Its state is guarded by one mutex, since delivery reports,
// the member (Drain, Fence, Stop, Position) and whoever asks for the Status come
// from other goroutines. The mutex is never held while user code, an event sink,
// a sender or a feed is called.
//
// # Failure
//
// A lane never interrupts a processor but through its context. A processor that
// ignores it keeps the lane's goroutine: Done stays open, results are refused,
// and the next lane of the same partition waits for it (Config.After).
package lane
