// Package processor is what users of Pitlane import: the interfaces that they
// implement, the messages that they receive, the records that they send, and
// the errors that say how an attempt ended. It needs the standard library only.
//
// # Concurrency
//
// One Processor value is called by all partitions at the same time, so it must
// be safe for concurrent use. PerPartition makes one value per assignment
// instead, which one goroutine at a time calls.
//
// # What Process returns
//
//	nil                      settled once every record that it sent is acknowledged
//	any other error, a panic transient: the partition holds with back-off, then runs it again
//	RetryAfter(d, err)       the same, after d
//	Skip(err)                settled after its sends, counted and logged
//	DeadLetter(err)          permanent: a dead letter, or pause.on_exhausted without one
//	FailedAt(i, err)         of a batch: what is below i succeeded, i failed with err
//	Stop(err)                the runner stops; nothing is committed past the message
//
// Outcomes are found through wrapping and errors.Join; of several the safest
// wins: stop, transient, permanent, skip. An error that ends an attempt whose
// context was ended by a fence or by the shutdown is not counted as an attempt.
//
// # Building blocks
//
// Func and BatchFunc adapt a function, Typed and JSON decode the value first,
// ByTopic routes, PerPartition keeps state per assignment, Wrap puts middleware
// around a processor. They nest in any order.
//
// A processor may implement any of Setuper, Teardowner, AssignedHook,
// RevokedHook, LostHook and Configurer. Runners look them up once with Hooks,
// also inside the building blocks.
//
// # For runners and test kits
//
// Bind ties a message to an attempt, ForPartition makes the value for one
// assignment, Call runs it and turns a panic into an error, Resume keeps a
// goroutine going that user code tries to end, Classify reads the verdict.
package processor
