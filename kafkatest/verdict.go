package kafkatest

import (
	"fmt"
	"strings"
)

// Name is a verdict's name, as reports print it.
type Name string

// The verdicts. The last seven carry the names of Jepsen's Kafka workload and of
// what it does not have; one anomaly may get several names.
const (
	NameLost                   Name = "lost"
	NameDuplicate              Name = "duplicate"
	NameSkipped                Name = "skipped"
	NameOutOfOrder             Name = "out_of_order"
	NameCommittedPastUnsettled Name = "committed_past_unsettled"
	NameOffsetBack             Name = "offset_back"
	NameNoProgress             Name = "no_progress"
	NameOverlap                Name = "overlap"
	NameOverlapAfterLoss       Name = "overlap_after_loss"
	NameLostWrite              Name = "lost_write"
	NameDuplicateWrite         Name = "duplicate_write"
	NameSkippedByPoll          Name = "skipped_by_poll"
	NameNonMonotonicPoll       Name = "non_monotonic_poll"
	NameInconsistentOffset     Name = "inconsistent_offset"
	NameUnseen                 Name = "unseen"
	NameLateWrite              Name = "late_write"
)

// Verdict is one anomaly with its evidence.
type Verdict interface {
	Name() Name
	// String is the verdict with its excerpt of the history.
	String() string
	finding() *Finding
}

// Finding is what all verdicts have.
type Finding struct {
	Input Position // the input message that it is about; Offset may be Unknown
	ID    int64    // its id, 0 if unknown
	What  string   // one sentence
	// Excerpt holds lines of the history around the anomaly; the line that
	// shows it starts with "> ".
	Excerpt []string
}

func (f *Finding) finding() *Finding { return f }

func (f *Finding) text(n Name) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", n, f.Input)
	if f.ID != 0 {
		fmt.Fprintf(&b, " id=%d", f.ID)
	}
	fmt.Fprintf(&b, ": %s", f.What)
	for _, l := range f.Excerpt {
		b.WriteString("\n    " + l)
	}
	return b.String()
}

// Lost is an input that is in no output; for a processor that filters, one whose
// offset was committed and that was neither settled nor output.
type Lost struct{ Finding }

// Duplicate is an input that is in an output topic more than once.
type Duplicate struct {
	Finding
	Copies int
	Topic  string
}

// Skipped is an offset of the input that nobody ran, though a higher one was run.
type Skipped struct{ Finding }

// OutOfOrder is last copies, or last runs, of a domain that are not in the order of
// the input, or a step back of the runs without a noted failure or to a settled
// unit.
type OutOfOrder struct{ Finding }

// CommittedPastUnsettled is a commit above a message that was not settled then.
type CommittedPastUnsettled struct {
	Finding
	Commit Position
}

// OffsetBack is a commit below the one before it.
type OffsetBack struct {
	Finding
	From, To int64
}

// NoProgress is an assigned partition with messages on which nothing was settled,
// at all or for Options.MaxStall.
type NoProgress struct{ Finding }

// Overlap is two owners that run one partition at the same time, or one owner that
// runs two units of a domain at the same time.
type Overlap struct{ Finding }

// OverlapAfterLoss is an Overlap in which the older owner had lost the partition:
// nobody can stop it at once.
type OverlapAfterLoss struct{ Finding }

// LostWrite is an acknowledged record that no reader saw though a later one was
// seen.
type LostWrite struct{ Finding }

// DuplicateWrite is one id that was acknowledged at two input positions.
type DuplicateWrite struct{ Finding }

// SkippedByPoll is a message that the runs of one assignment jump over.
type SkippedByPoll struct{ Finding }

// NonMonotonicPoll is a step back of the runs of one assignment without reason.
type NonMonotonicPoll struct{ Finding }

// InconsistentOffset is two different ids at one position.
type InconsistentOffset struct {
	Finding
	Other int64
}

// Unseen is an acknowledged input that nobody ran by the end, and nothing after it.
type Unseen struct{ Finding }

// LateWrite is a record of an earlier producer generation, or of an earlier owner,
// that is in the log behind records of a later one.
type LateWrite struct{ Finding }

// Name returns NameLost.
func (*Lost) Name() Name { return NameLost }

// Name returns NameDuplicate.
func (*Duplicate) Name() Name { return NameDuplicate }

// Name returns NameSkipped.
func (*Skipped) Name() Name { return NameSkipped }

// Name returns NameOutOfOrder.
func (*OutOfOrder) Name() Name { return NameOutOfOrder }

// Name returns NameCommittedPastUnsettled.
func (*CommittedPastUnsettled) Name() Name { return NameCommittedPastUnsettled }

// Name returns NameOffsetBack.
func (*OffsetBack) Name() Name { return NameOffsetBack }

// Name returns NameNoProgress.
func (*NoProgress) Name() Name { return NameNoProgress }

// Name returns NameOverlap.
func (*Overlap) Name() Name { return NameOverlap }

// Name returns NameOverlapAfterLoss.
func (*OverlapAfterLoss) Name() Name { return NameOverlapAfterLoss }

// Name returns NameLostWrite.
func (*LostWrite) Name() Name { return NameLostWrite }

// Name returns NameDuplicateWrite.
func (*DuplicateWrite) Name() Name { return NameDuplicateWrite }

// Name returns NameSkippedByPoll.
func (*SkippedByPoll) Name() Name { return NameSkippedByPoll }

// Name returns NameNonMonotonicPoll.
func (*NonMonotonicPoll) Name() Name { return NameNonMonotonicPoll }

// Name returns NameInconsistentOffset.
func (*InconsistentOffset) Name() Name { return NameInconsistentOffset }

// Name returns NameUnseen.
func (*Unseen) Name() Name { return NameUnseen }

// Name returns NameLateWrite.
func (*LateWrite) Name() Name { return NameLateWrite }

func (v *Lost) String() string                   { return v.text(v.Name()) }
func (v *Duplicate) String() string              { return v.text(v.Name()) }
func (v *Skipped) String() string                { return v.text(v.Name()) }
func (v *OutOfOrder) String() string             { return v.text(v.Name()) }
func (v *CommittedPastUnsettled) String() string { return v.text(v.Name()) }
func (v *OffsetBack) String() string             { return v.text(v.Name()) }
func (v *NoProgress) String() string             { return v.text(v.Name()) }
func (v *Overlap) String() string                { return v.text(v.Name()) }
func (v *OverlapAfterLoss) String() string       { return v.text(v.Name()) }
func (v *LostWrite) String() string              { return v.text(v.Name()) }
func (v *DuplicateWrite) String() string         { return v.text(v.Name()) }
func (v *SkippedByPoll) String() string          { return v.text(v.Name()) }
func (v *NonMonotonicPoll) String() string       { return v.text(v.Name()) }
func (v *InconsistentOffset) String() string     { return v.text(v.Name()) }
func (v *Unseen) String() string                 { return v.text(v.Name()) }
func (v *LateWrite) String() string              { return v.text(v.Name()) }
