// Package delivery owns the Kafka producer: it hands records to the client,
// keeps one handle per record until its delivery report is in, and tells the
// attempt that sent the record how it ended.
//
// # Path of a record
//
//	Attempt.Send -> handle registered -> client.Produce -> broker
//	                     |                                   |
//	Attempt.done <- handle resolved  <-  Events()  <- delivery report
//
// A handle is registered before the client sees the record, under an id that
// travels as the record's opaque value. The report, or the synchronous error of
// Produce, takes the handle out of the table, so it is resolved exactly once. A
// report whose id is not in the table (a duplicate, an unknown one, one of a
// generation that is over) is counted and ignored.
//
// # Generations
//
// A generation is one client instance with its handles; its number is part of
// every error. An attempt belongs to the generation of its first send. A
// generation has two states: it admits sends, or it is retired, with the reason
// that later sends get. Retiring takes the write side of the lock of which every
// Produce holds the read side, so that no record slips in behind a purge: one
// that does would never get a report.
//
// # Concurrency
//
// Producer and Attempt are safe for concurrent use. One goroutine per generation
// drains the client's events until the client closes them: an event channel
// that nobody drains stops every report. No lock is held while a done function
// runs or a send waits. Lock order: generation.admit, then handles.mu; an
// attempt's mu is never held together with another one.
//
// A full client queue is back-pressure, not an error: Send lets go of the lock
// and waits for a report, for its context, for the end of its attempt, or for
// the producer's close.
//
// # Failure
//
// Every failed record becomes an *Error with the client's code, what is known
// about the record (Outcome) and advice. Only a synchronous error proves that a
// record was not written; a time-out or a purge proves nothing. Nothing is sent
// again inside this package: the attempt fails and is run again by its lane.
//
// Close ends with every handle resolved, whatever the brokers do; a client that
// does not close in time is abandoned, which is an error of its own.
package delivery
