package kafkatest

import (
	"fmt"
	"strings"
	"time"
)

// Kind says what an Event tells.
type Kind uint8

// The kinds of events. Produced, Output, Acked and Committed speak of the
// broker's logs, the others of the run.
const (
	// KindProduced: the message ID was acknowledged at an input position.
	KindProduced Kind = iota + 1
	// KindAssigned: Member got Topic, Partition as assignment Epoch.
	KindAssigned
	// KindRevoked: the group takes the partition back in order.
	KindRevoked
	// KindLost: the partition is gone already.
	KindLost
	// KindStart: the processor starts on one message.
	KindStart
	// KindEnd: that attempt ended with Outcome.
	KindEnd
	// KindAcked: an output of ID was acknowledged to its sender.
	KindAcked
	// KindOutput: an output of ID, as read back from the broker.
	KindOutput
	// KindCommitted: Group committed Offset, as read back from the broker.
	KindCommitted
	// KindFailed: a processing or delivery failure; the runs may step back.
	KindFailed
	// KindSkipped: a policy passed over the message by decision: it is settled.
	KindSkipped
	// KindKilled: the process of Member is gone, its open runs with it.
	KindKilled
)

func kindNames() [13]string {
	return [...]string{
		KindProduced: "produced", KindAssigned: "assigned", KindRevoked: "revoked", KindLost: "lost",
		KindStart: "start", KindEnd: "end", KindAcked: "acked", KindOutput: "output",
		KindCommitted: "committed", KindFailed: "failed", KindSkipped: "skipped", KindKilled: "killed",
	}
}

// String returns the kind's name, which is also its form in a journal.
func (k Kind) String() string {
	names := kindNames()
	if k == 0 || int(k) >= len(names) {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return names[k]
}

// Outcome says how an attempt ended.
type Outcome uint8

// The outcomes of an attempt. OutcomeOK and OutcomeSkipped settle a message.
const (
	OutcomeOK        Outcome = iota + 1 // the processor returned nil
	OutcomeFailed                       // it returned an error or panicked
	OutcomeSkipped                      // it passed over the message by decision
	OutcomeCancelled                    // its context ended first
)

func outcomeNames() [5]string {
	return [...]string{
		OutcomeOK: "ok", OutcomeFailed: "failed", OutcomeSkipped: "skipped", OutcomeCancelled: "cancelled",
	}
}

// String returns the outcome's name, which is also its form in a journal.
func (o Outcome) String() string {
	names := outcomeNames()
	if o == 0 || int(o) >= len(names) {
		return fmt.Sprintf("outcome(%d)", uint8(o))
	}
	return names[o]
}

// Unknown stands for an offset that is not known.
const Unknown = int64(-1)

// Position is a place in a partition's log.
type Position struct {
	Topic     string
	Partition int32
	Offset    int64
}

// String returns topic/partition@offset.
func (p Position) String() string {
	return fmt.Sprintf("%s/%d@%d", p.Topic, p.Partition, p.Offset)
}

// Event is one line of a history. Which fields count depends on Kind; the
// methods of History and Journal fill them.
type Event struct {
	// Seq is the event's place in its history, from 1. It is set by the history.
	Seq uint64
	// At is the wall time. Zero: for events of the run it is set to now, for
	// events of the broker's logs it stays unknown.
	At   time.Time
	Kind Kind

	Member string
	// Epoch is the assignment epoch of the partition on the member.
	Epoch int32
	// Input is the input position; of a commit, the committed position; of a
	// failure, the lowest failed unit, Unknown if that is not known.
	Input Position
	// ID identifies the message: unique in the run and at least 1. Zero is
	// unknown, and found by Input.
	ID      int64
	Key     string
	Attempt int32
	// Unit, if not 0, names the batch in which the message ran: the runs of
	// one unit are one run.
	Unit    int64
	Outcome Outcome

	// Output is the position of an output.
	Output Position
	// Generation is the producer generation that wrote the output; 0 is unknown.
	Generation int32

	Group string
	// LogPosition orders the commits of a group.
	LogPosition int64
	// Reason is a failure's cause.
	Reason string
}

// String returns the event as one line of evidence.
func (e Event) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#%d", e.Seq)
	if !e.At.IsZero() {
		b.WriteString(" " + e.At.UTC().Format("15:04:05.000000"))
	}
	fmt.Fprintf(&b, " %s", e.Kind)
	if e.Kind != KindKilled {
		fmt.Fprintf(&b, " %s", e.Input)
	}
	if e.ID != 0 {
		fmt.Fprintf(&b, " id=%d", e.ID)
	}
	if e.Key != "" {
		fmt.Fprintf(&b, " key=%q", e.Key)
	}
	if e.Member != "" {
		fmt.Fprintf(&b, " member=%s epoch=%d", e.Member, e.Epoch)
	}
	switch e.Kind {
	case KindStart:
		fmt.Fprintf(&b, " attempt=%d", e.Attempt)
	case KindEnd:
		fmt.Fprintf(&b, " attempt=%d outcome=%s", e.Attempt, e.Outcome)
	case KindOutput, KindAcked:
		fmt.Fprintf(&b, " out=%s generation=%d", e.Output, e.Generation)
	case KindCommitted:
		fmt.Fprintf(&b, " group=%s log=%d", e.Group, e.LogPosition)
	case KindFailed, KindSkipped:
		fmt.Fprintf(&b, " reason=%q", e.Reason)
	case KindProduced, KindAssigned, KindRevoked, KindLost, KindKilled:
	}
	return b.String()
}
