// Package demo has two commands of the stock binary. Demo shows Pitlane at work,
// without anything to install: an embedded broker, a week of earthquakes streamed
// in a loop, the example's processor with failures injected into it, a live
// picture of the partitions, and at the end a verdict of the history checker.
// Broker is the embedded broker alone, for development.
//
// # States
//
// The demo streams for its time (or until a signal), then lets the runner catch up
// with what was streamed, stops it, reads the alerts and the commits back from the
// broker and has the whole history judged. A second signal leaves at once.
//
// # Concurrency
//
// The stream and the runner have a goroutine each; the picture is drawn by the
// goroutine that called. Everything ends before Run returns.
//
// # Failure
//
// Run returns a *VerdictError when a message was lost or out of order, and the
// runner's own error when it did not stop cleanly.
package demo
