package lane

import (
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// Config makes a lane.
type Config struct {
	// Source names the lane in events: member, partition, assignment epoch.
	Source event.Source
	// Start is the first offset to process, and the commit position until
	// something settles. Messages below it are dropped and counted.
	Start int64
	// Feed is the partition's messages.
	Feed Feed
	// Processor or BatchProcessor, exactly one.
	Processor      processor.Processor
	BatchProcessor processor.BatchProcessor
	Batch          BatchLimits
	// AttemptTimeout ends an attempt's context; 0 means none.
	AttemptTimeout time.Duration
	Sender         Sender
	Policy         Policy
	Slots          Slots
	Events         event.Sink
	// MaxOutstanding is how many units may wait for delivery reports.
	MaxOutstanding int
	// LateAfter is the age of the oldest missing report at which the lane holds.
	LateAfter time.Duration
	// After, if not nil, is closed when the partition's earlier lane in this
	// process has returned. Until then the lane holds with reason drain.
	After <-chan struct{}
	// Stopped is called when the policy or the processor stops the runner. It
	// must not block.
	Stopped func(cause error)
}

// BatchLimits shape the batches of a BatchProcessor.
type BatchLimits struct {
	MaxMessages int
	MaxWait     time.Duration
	MaxBytes    int64
}

// withDefaults returns a copy in which what was left out has its default.
func (c Config) withDefaults() Config {
	if c.Events == nil {
		c.Events = event.Discard
	}
	if c.Stopped == nil {
		c.Stopped = func(error) {}
	}
	if c.MaxOutstanding == 0 {
		c.MaxOutstanding = 1000
	}
	if c.LateAfter == 0 {
		c.LateAfter = 10 * time.Second
	}
	if c.Batch.MaxMessages == 0 {
		c.Batch.MaxMessages = 500
	}
	if c.Batch.MaxWait == 0 {
		c.Batch.MaxWait = 20 * time.Millisecond
	}
	if c.Batch.MaxBytes == 0 {
		c.Batch.MaxBytes = 4 << 20
	}
	return c
}
