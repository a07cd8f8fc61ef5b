package kafkatest

import (
	"slices"
	"time"
)

// Ordering says in which domain the processor runs messages one by one.
type Ordering uint8

// The orderings.
const (
	ByPartition Ordering = iota
	ByKey
	Unordered
)

// DuplicateRule says how many duplicates a run may have.
type DuplicateRule uint8

// The rules for duplicates.
const (
	// DuplicatesBounded: at most Report.Bound, which is computed from the history.
	DuplicatesBounded DuplicateRule = iota
	// DuplicatesNone: none at all.
	DuplicatesNone
	// DuplicatesAny: they are counted only.
	DuplicatesAny
)

// Options say what a run promises.
type Options struct {
	// Ordering is the run's ordering.
	Ordering Ordering
	// Filter: the processor may send nothing for a message. A message is then
	// lost only if its offset was committed and it was neither settled nor
	// output.
	Filter bool
	// Incomplete: the run was stopped before it had consumed everything. Only
	// what is below the last commit must be in the output.
	Incomplete bool
	// Duplicates is the rule for duplicates, by default DuplicatesBounded.
	Duplicates DuplicateRule
	// Group, if not empty, selects the commits of one group.
	Group string
	// Slack is how far the clocks of different sources may differ; a broker's
	// times have whole milliseconds. Default 2ms.
	Slack time.Duration
	// MaxStall, if not 0, is how long an assigned partition may settle nothing
	// while it has messages.
	MaxStall time.Duration
	// MaxFindings is how many findings of each name keep their evidence; all
	// are counted. Default 5.
	MaxFindings int
	// Allow names verdicts that are counted but are no violation. By default
	// those are NameLateWrite and NameOverlapAfterLoss, which nobody can prevent.
	Allow []Name
	// Forbid makes verdicts violations that are not by default.
	Forbid []Name
}

func (o Options) withDefaults() Options {
	if o.Slack == 0 {
		o.Slack = 2 * time.Millisecond
	}
	if o.MaxFindings == 0 {
		o.MaxFindings = 5
	}
	return o
}

// violates says whether a verdict of this name breaks the run's promises.
// Duplicates are judged by their sum.
func (o Options) violates(n Name) bool {
	if slices.Contains(o.Forbid, n) {
		return true
	}
	switch n {
	case NameDuplicate, NameLateWrite, NameOverlapAfterLoss:
		return false
	default:
		return !slices.Contains(o.Allow, n)
	}
}
