// Package event holds the state changes that Pitlane reports: typed values,
// never one per message. A room calls the Sink that it was made with; the runner
// turns events into log lines and, for those who ask, hands them on.
//
// Counters are not events: they are atomics, read when somebody looks.
package event
