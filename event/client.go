package event

import "time"

// MemberState says that a member's state changed ("joining", "steady", "revoking",
// "closing", "closed", "abandoned").
type MemberState struct {
	Member   string
	From, To string
}

// ClientError is an error that a client reported and recovers from by itself.
// Repeated ones are sent at a limited rate; Count is how many it stands for.
type ClientError struct {
	// Client is the member's name, "producer" or "admin".
	Client string
	Code   int
	Fatal  bool
	Count  int
	Cause  error
}

// CommitFailed says that a commit was refused; Kept, that the positions are kept
// and committed again.
type CommitFailed struct {
	Member string
	Code   int
	Kept   bool
	Cause  error
}

// CommitPending says that a commit has no answer yet. It is not a failure.
type CommitPending struct {
	Member string
	Age    time.Duration
}

// HookFailed says that OnAssigned, OnRevoked or OnLost returned an error, panicked
// or overran its deadline.
type HookFailed struct {
	Member string
	Hook   string
	Cause  error
}

// Unhealthy says that the runner is in trouble that an operator should know of.
type Unhealthy struct {
	Reason string
	Cause  error
}

// Healthy says that the trouble named by Reason is over.
type Healthy struct {
	Reason string
	Lasted time.Duration
}

// RunnerState is a step of the runner's life: "starting", "running", "draining", "stopped".
type RunnerState struct {
	From, To string
	Reason   string
}

// Name implements Event.
func (MemberState) Name() string { return "member state changed" }

// Name implements Event.
func (ClientError) Name() string { return "client error" }

// Name implements Event.
func (CommitFailed) Name() string { return "commit failed" }

// Name implements Event.
func (CommitPending) Name() string { return "commit pending" }

// Name implements Event.
func (HookFailed) Name() string { return "hook failed" }

// Name implements Event.
func (Unhealthy) Name() string { return "unhealthy" }

// Name implements Event.
func (Healthy) Name() string { return "healthy" }

// Name implements Event.
func (RunnerState) Name() string { return "runner state changed" }
