// Package builtin holds the stock processors of the runner program, so that it
// is useful without writing Go: Log writes a line per message, Forward sends
// every message to another topic.
//
// Purpose. Each processor is what a user would write: it uses nothing but
// package processor, and takes its settings from its part of the processor
// block of the configuration.
//
// States. Made by its constructor, configured by decoding into Config, set up
// once, then called until the end.
//
// Concurrency. Process is called by all partitions at the same time; nothing of
// a processor changes after Setup.
//
// Failure. A processor fails with the error of the record that it sends, and
// has no state that a failure could spoil.
package builtin
