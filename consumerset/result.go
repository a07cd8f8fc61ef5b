package consumerset

import "github.com/pitlane-go/pitlane/processor"

// Outcome is how a member ended.
type Outcome uint8

// The outcomes, the worse ones later.
const (
	// Clean: all that was begun is settled and committed, the client is closed.
	Clean Outcome = iota
	// Unfinished: attempts or deliveries were cut short; they run again elsewhere.
	Unfinished
	// Uncommitted: settled positions have no acknowledged commit.
	Uncommitted
	// Left: the client was abandoned, or not closed because a commit is pending.
	Left
	// Broken: the member failed before.
	Broken
)

// String returns the word that logs use.
func (o Outcome) String() string {
	switch o {
	case Clean:
		return "clean"
	case Unfinished:
		return "unfinished"
	case Uncommitted:
		return "uncommitted"
	case Left:
		return "abandoned"
	case Broken:
		return "failed"
	}
	return "unknown"
}

// PartitionResult is where a partition stood at the end.
type PartitionResult struct {
	Partition processor.Partition
	// Position is the next offset to commit, Committed the last acknowledged one,
	// -1 for none.
	Position, Committed int64
}

// MemberResult is how a member ended, and what it left.
type MemberResult struct {
	Member string
	// Unfinished are the partitions whose lanes had to be fenced.
	Unfinished []PartitionResult
	// Uncommitted are those with settled messages whose commit has no answer.
	Uncommitted []PartitionResult
	// CommitPending: a commit had no answer. The client was not closed then.
	CommitPending bool
	// Abandoned: the client was not closed, or did not close in time.
	Abandoned bool
	// Err is why the member failed, nil if it did not.
	Err error
}

// Outcome is the worst of what happened.
func (r MemberResult) Outcome() Outcome {
	switch {
	case r.Err != nil:
		return Broken
	case r.Abandoned:
		return Left
	case len(r.Uncommitted) > 0:
		return Uncommitted
	case len(r.Unfinished) > 0:
		return Unfinished
	}
	return Clean
}

// Result is how a set ended.
type Result struct {
	Members []MemberResult
}

// Outcome is that of the member that ended worst.
func (r Result) Outcome() Outcome {
	worst := Clean
	for _, m := range r.Members {
		worst = max(worst, m.Outcome())
	}
	return worst
}
