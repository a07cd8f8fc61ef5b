package kafkatest

import "time"

// Run is one attempt of the processor on one message.
type Run struct {
	Member string
	// Epoch is the assignment epoch of the partition on the member.
	Epoch int32
	Input Position
	// ID may be 0: it is then found by Input.
	ID int64
	// Key is text: a journal does not keep bytes that are not UTF-8.
	Key     string
	Attempt int32
	// Unit, if not 0, names the batch that the message is part of.
	Unit int64
}

// Output is one record that the processor sent.
type Output struct {
	// ID is the input message's; when it is 0, Input must be given.
	ID    int64
	Input Position
	At    Position
	// Time is when it was appended to the log, if that is known.
	Time time.Time
	// Member, Epoch and Generation say who wrote it, if that is known: they
	// tell a late write from a wrong order.
	Member     string
	Epoch      int32
	Generation int32
}

// Commit is one committed offset, in the order of the group's log.
type Commit struct {
	Group string
	// Position is the next offset to read.
	Position    Position
	LogPosition int64
	// Time is the broker's commit time, if that is known.
	Time time.Time
}

// Failure is something that was seen to go wrong.
type Failure struct {
	Member string
	// Input is the lowest unit that failed; Offset is Unknown when only the
	// partition is known; an empty Topic means every partition of Member.
	Input  Position
	Reason string
}

// notes gives History and Journal the same methods.
type notes struct {
	add func(Event)
}

// Produced notes that an input message was acknowledged at a position.
func (n notes) Produced(id int64, at Position, key string) {
	n.add(Event{Kind: KindProduced, ID: id, Input: at, Key: key})
}

// Assigned notes that a member got a partition, as this assignment epoch.
func (n notes) Assigned(member string, epoch int32, topic string, partition int32) {
	n.owner(KindAssigned, member, epoch, Position{topic, partition, Unknown})
}

// Revoked notes that a member gives a partition back in order.
func (n notes) Revoked(member string, epoch int32, topic string, partition int32) {
	n.owner(KindRevoked, member, epoch, Position{topic, partition, Unknown})
}

// Lost notes that a member has lost a partition.
func (n notes) Lost(member string, epoch int32, topic string, partition int32) {
	n.owner(KindLost, member, epoch, Position{topic, partition, Unknown})
}

func (n notes) owner(kind Kind, member string, epoch int32, at Position) {
	n.add(Event{Kind: kind, Member: member, Epoch: epoch, Input: at})
}

// Start notes that the processor starts on a message.
func (n notes) Start(r Run) { n.run(KindStart, r, 0) }

// End notes how that attempt ended.
func (n notes) End(r Run, o Outcome) { n.run(KindEnd, r, o) }

func (n notes) run(kind Kind, r Run, o Outcome) {
	n.add(Event{
		Kind: kind, Member: r.Member, Epoch: r.Epoch, Input: r.Input, ID: r.ID,
		Key: r.Key, Attempt: r.Attempt, Unit: r.Unit, Outcome: o,
	})
}

// Acked notes that an output was acknowledged to its sender.
func (n notes) Acked(o Output) { n.output(KindAcked, o) }

// Output notes an output that was read back from the broker. Outputs of one
// partition may be noted in any order: their offsets count.
func (n notes) Output(o Output) { n.output(KindOutput, o) }

func (n notes) output(kind Kind, o Output) {
	if o.Input.Topic == "" {
		o.Input.Offset = Unknown
	}
	n.add(Event{
		Kind: kind, At: o.Time, ID: o.ID, Input: o.Input, Output: o.At,
		Member: o.Member, Epoch: o.Epoch, Generation: o.Generation,
	})
}

// Committed notes a commit that was read back from the broker.
func (n notes) Committed(c Commit) {
	n.add(Event{Kind: KindCommitted, At: c.Time, Group: c.Group, Input: c.Position, LogPosition: c.LogPosition})
}

// Failed notes a failure that makes a step back of the runs legal. Note it
// before the unit runs again. An attempt that ended failed or cancelled says so
// by itself; a failed delivery does not.
func (n notes) Failed(f Failure) {
	if f.Input.Topic == "" {
		f.Input.Offset = Unknown
	}
	n.add(Event{Kind: KindFailed, Member: f.Member, Input: f.Input, Reason: f.Reason})
}

// Skipped notes that a policy passed over a message by decision: it counts as
// settled. A processor's own skip is the outcome of its attempt.
func (n notes) Skipped(member string, at Position, reason string) {
	n.add(Event{Kind: KindSkipped, Member: member, Input: at, Reason: reason})
}

// Killed notes that the process of a member is gone. Note it after the process
// was waited for.
func (n notes) Killed(member string) {
	n.add(Event{Kind: KindKilled, Member: member, Input: Position{Offset: Unknown}})
}
