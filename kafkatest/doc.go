// Package kafkatest checks processors and the runs that they were part of.
//
// # Without a broker
//
// NewMessage builds a message, and a Recorder runs a processor on messages and
// keeps what it sent: a test of a processor takes a few lines.
//
// # With a broker
//
// A History notes what happened in a run: what was produced, who owned which
// partition, every start and end of the processor, the outputs and commits as
// they were read back from the broker, and every failure that was observed.
// Check judges it and returns a Report of named verdicts, each with an excerpt
// of the history as evidence. Witness wraps a processor so that its runs note
// themselves. Several processes write a Journal each, which survives kill -9;
// ReadHistory and Merge make one History of them.
//
// For runs of millions of messages, Compare judges two Streams as sets and in
// order, without the notes in between.
//
// # What the checker can know
//
// The checker trusts the broker's logs and what the processor saw, never what
// the runner says about itself, except for failures: a step back of the runs is
// legal only after a failure that was noted. It cannot see acknowledgements:
// a unit is taken as settled when its processor ended well (or skipped it by
// decision) and, for a processor that does not filter, its output is in the log.
// That is necessary and not sufficient, so a commit can be found too early, but
// a finding is never a matter of taste. Times of different sources (the
// process, the broker's millisecond timestamps) are compared with Options.Slack
// in favour of the run.
//
// # Concurrency and failure
//
// History, Journal, Recorder and Witness are safe for concurrent use. Check
// works on a snapshot. A Journal keeps its first write error (Err) and drops
// what follows; a torn last line of a killed process is ignored when it is read.
//
// The package imports processor and the standard library only. Its
// sub-packages bring brokers: embedded (in process), cluster (real Kafka) and
// proxy (faults between the client and the brokers).
package kafkatest
