package event

import (
	"time"
)

// PartitionAssigned says that a lane starts at Offset.
type PartitionAssigned struct {
	Source
	Offset int64
	// From says where Offset comes from: "committed", "earliest", "latest".
	From string
}

// PartitionRevoked says that a partition was given back in order; Position is what
// was committed last, or -1.
type PartitionRevoked struct {
	Source
	Position int64
	// Drained is false when attempts had to be fenced; Waited is how long the
	// drain took.
	Drained bool
	Waited  time.Duration
}

// PartitionLost says that a partition was gone already; nothing was committed.
type PartitionLost struct {
	Source
	Reason string
}

// HoldStarted says that the lane starts nothing, for Reason, until Until (zero:
// until it is released).
type HoldStarted struct {
	Source
	Reason  string
	Until   time.Time
	Offset  int64
	Attempt int
	Cause   error
}

// HoldEnded says that the lane goes on.
type HoldEnded struct {
	Source
	Reason string
	Held   time.Duration
}

// UnitSkipped says that a unit was settled without success, by an explicit
// decision.
type UnitSkipped struct {
	Source
	Offset   int64
	Messages int
	Cause    error
}

// ProcessorPanicked says that a panic became an error; Stack is the goroutine's.
type ProcessorPanicked struct {
	Source
	Offset int64
	Value  string
	Stack  string
}

// ProcessorSlow says that one attempt runs longer than slow_after. Once per attempt.
type ProcessorSlow struct {
	Source
	Offset  int64
	Attempt int
	Running time.Duration
	Stack   string
}

// DeliveryRewound says that a delivery failed, so units from Offset on run again.
type DeliveryRewound struct {
	Source
	Offset int64
	Units  int
	Cause  error
}

// FeedFailed says that the partition cannot be read; only a new assignment cures
// it.
type FeedFailed struct {
	Source
	Offset int64
	Cause  error
}

// Name implements Event.
func (PartitionAssigned) Name() string { return "partition assigned" }

// Name implements Event.
func (PartitionRevoked) Name() string { return "partition revoked" }

// Name implements Event.
func (PartitionLost) Name() string { return "partition lost" }

// Name implements Event.
func (HoldStarted) Name() string { return "hold started" }

// Name implements Event.
func (HoldEnded) Name() string { return "hold ended" }

// Name implements Event.
func (UnitSkipped) Name() string { return "unit skipped" }

// Name implements Event.
func (ProcessorPanicked) Name() string { return "processor panicked" }

// Name implements Event.
func (ProcessorSlow) Name() string { return "processor slow" }

// Name implements Event.
func (DeliveryRewound) Name() string { return "delivery rewound" }

// Name implements Event.
func (FeedFailed) Name() string { return "feed failed" }
