package consumerset

import (
	"sync"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// PartitionStatus is one partition of a member.
type PartitionStatus struct {
	Source event.Source
	// Lane is what StartLane returned: it knows its holds.
	Lane Lane
	// Start is the first offset of this assignment, From where it comes from.
	Start int64
	From  string
	// Position is the next offset to commit, Committed the last acknowledged one;
	// -1 for none.
	Position, Committed int64
	// End is the offset up to which the partition can be read, and Lag how far the
	// position is behind it, from the client's statistics; -1 while unknown. They
	// move only when the leader answers.
	End, Lag int64
	// FetchState is the client's word for what its fetcher does.
	FetchState string
	// Lost: the group has given it to another member.
	Lost bool
}

// PendingStatus is a partition that waits for its start offset.
type PendingStatus struct {
	Partition processor.Partition
	Since     time.Time
	// Err is why the last lookup had no answer.
	Err error
}

// MemberStatus is a snapshot of a member.
type MemberStatus struct {
	Member string
	State  State
	Since  time.Time
	// Feed is how messages come: FeedQueue or FeedPoll.
	Feed FeedKind
	// GroupState and JoinState are the client's words.
	GroupState, JoinState string
	// GroupIdle is how long nothing was received from the group's coordinator, -1
	// while that is not known.
	GroupIdle time.Duration
	// Polled is when the client's Poll returned last.
	Polled time.Time
	// CommitSince is when the commit in flight was sent; zero without one.
	CommitSince time.Time
	Partitions  []PartitionStatus
	Pending     []PendingStatus
}

// view is what others may see of a member; it has a mutex of its own, so that nobody
// waits for the member.
type view struct {
	mu          sync.Mutex
	now         State
	since       time.Time
	feed        FeedKind
	slots       []*slot
	lost        map[*slot]bool
	pending     []PendingStatus
	group, join string
	groupIdle   time.Duration
	ends        map[processor.Partition]partitionStats
	uncommitted bool
	commitSince time.Time
	cut         map[*slot]int64 // unfinished lanes and their positions
	result      MemberResult
}

func (v *view) state() State {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.now
}

func (v *view) setState(s State) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.now, v.since = s, time.Now()
}

func (v *view) setCommit(since time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.commitSince = since
}

func (v *view) setStats(s clientStats, uncommitted bool) {
	ends := s.partitions()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.group, v.join, v.groupIdle = s.Group.State, s.Group.JoinState, s.groupIdle()
	v.ends, v.uncommitted = ends, uncommitted
}

func (v *view) unfinished(s *slot) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.cut == nil {
		v.cut = map[*slot]int64{}
	}
	v.cut[s] = s.lane.Position()
}

func (v *view) isUnfinished(s *slot) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, ok := v.cut[s]
	return ok
}

func (v *view) setResult(r MemberResult) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for s, position := range v.cut {
		r.Unfinished = append(r.Unfinished, PartitionResult{s.partition(), position, s.committed.Load()})
	}
	v.result = r
}

func (v *view) abandon() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.result.Abandoned = true
}

// outcome is the result; a member that has not ended is abandoned.
func (v *view) outcome(name string) MemberResult {
	v.mu.Lock()
	defer v.mu.Unlock()
	r := v.result
	r.Member = name
	switch v.now {
	case Closed, Abandoned, Failed:
	default:
		r.Abandoned = true
	}
	return r
}

// publish shows the member's partitions. It is called by the member after every
// change.
func (m *Member) publish() {
	slots, lost := m.allSlots(), map[*slot]bool{}
	for _, s := range slots {
		if s.lost {
			lost[s] = true
		}
	}
	pending := make([]PendingStatus, 0, len(m.pending))
	for p, x := range m.pending {
		pending = append(pending, PendingStatus{p, x.since, x.err})
	}
	m.view.mu.Lock()
	defer m.view.mu.Unlock()
	m.view.slots, m.view.lost, m.view.pending = slots, lost, pending
	m.view.feed = m.source.kind()
}

// Status returns a snapshot. It never waits for the member.
func (m *Member) Status() MemberStatus {
	v := &m.view
	v.mu.Lock()
	defer v.mu.Unlock()
	out := MemberStatus{
		Member: m.name, State: v.now, Since: v.since, Feed: v.feed,
		GroupState: v.group, JoinState: v.join, GroupIdle: v.groupIdle, CommitSince: v.commitSince,
		Pending: append([]PendingStatus(nil), v.pending...),
	}
	if at := m.polled.Load(); at > 0 {
		out.Polled = time.Unix(0, at)
	}
	for _, s := range v.slots {
		p := PartitionStatus{
			Source: s.source, Lane: s.lane, Start: s.start, From: s.from, Lost: v.lost[s],
			Position: s.lane.Position(), Committed: s.committed.Load(), End: -1, Lag: -1,
		}
		if st, ok := v.ends[s.partition()]; ok {
			p.FetchState, p.End = st.FetchState, st.end(v.uncommitted)
		}
		if p.End >= 0 && p.Position >= 0 {
			p.Lag = max(p.End-p.Position, 0)
		}
		out.Partitions = append(out.Partitions, p)
	}
	return out
}
