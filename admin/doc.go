// Package admin asks the cluster questions, over a client of its own: metadata,
// topic ids, committed offsets, start and end offsets, whether a group may be
// read, whether the brokers can be reached at all. It changes nothing.
//
// # Concurrency
//
// A Client is safe for concurrent use. Every call runs on a goroutine of its own
// under one deadline, the earlier of the caller's context and Config.Timeout: some
// methods of the binding do not look at a context. A call that was given up ends
// by itself a little later; Close waits for those, because closing the client
// under a call ends the process.
//
// # Failure
//
// Calls answer an *Error: what was asked, the client's code and its own words,
// and, when the brokers cannot be reached, its latest connection error, which says
// more than "timed out". errors.Is finds ErrUnknownTopic, ErrNotAuthorized,
// ErrLeaderUnreachable and ErrClosed. Answers about several topics or partitions
// carry their errors one by one.
//
// A call is made once: trying another broker is left to the client.
//
// The client under it is a producer that never produces: unlike the binding's bare
// admin client it has an event channel, without which errors and statistics pile
// up unread.
package admin
