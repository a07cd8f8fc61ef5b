package main

import "github.com/pitlane-go/pitlane/kafkatest"

// journal is where the worker notes what it did; *kafkatest.Journal is one.
type journal interface {
	Start(r kafkatest.Run)
	End(r kafkatest.Run, o kafkatest.Outcome)
	Assigned(member string, epoch int32, topic string, partition int32)
	Revoked(member string, epoch int32, topic string, partition int32)
	Lost(member string, epoch int32, topic string, partition int32)
	Failed(f kafkatest.Failure)
	Skipped(member string, at kafkatest.Position, reason string)
	Err() error
}

// silent is the journal of a worker that is judged by its speed.
type silent struct{}

// Start implements journal.
func (silent) Start(kafkatest.Run) {}

// End implements journal.
func (silent) End(kafkatest.Run, kafkatest.Outcome) {}

// Assigned implements journal.
func (silent) Assigned(string, int32, string, int32) {}

// Revoked implements journal.
func (silent) Revoked(string, int32, string, int32) {}

// Lost implements journal.
func (silent) Lost(string, int32, string, int32) {}

// Failed implements journal.
func (silent) Failed(kafkatest.Failure) {}

// Skipped implements journal.
func (silent) Skipped(string, kafkatest.Position, string) {}

// Err implements journal.
func (silent) Err() error { return nil }
