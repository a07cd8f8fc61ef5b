package runner

import (
	"time"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
)

// PartitionStatus is one assigned partition.
type PartitionStatus struct {
	Member    string
	Topic     string
	Partition int32
	// Epoch is the assignment epoch on the member.
	Epoch int64
	// Position is the next offset to commit, Committed the last acknowledged
	// commit; -1 for none.
	Position, Committed int64
	// End and Lag come from the client's statistics: -1 while unknown.
	End, Lag int64
	// Holds says why nothing starts, oldest first; empty when nothing holds.
	Holds []pause.Hold
	// Running is the attempt that runs, if Busy.
	Running lane.Running
	Busy    bool
	// Outstanding units wait for delivery reports; Window messages are received
	// and cannot be committed yet.
	Outstanding, Window int
	Counters            lane.Counters
}

// Status is a snapshot of a runner.
type Status struct {
	State State
	Since time.Time
	// Unhealthy lists what an operator should know of.
	Unhealthy  []Trouble
	Members    []consumerset.MemberStatus
	Partitions []PartitionStatus
	Delivery   delivery.Stats
}

// Status returns a snapshot; it never waits for anything.
func (r *Runner) Status() Status {
	now := time.Now()
	var s Status
	s.State, s.Since = r.state.get()
	s.Unhealthy = r.health.all()
	r.mu.Lock()
	set, producer := r.set, r.producer
	r.mu.Unlock()
	if set == nil {
		return s
	}
	s.Delivery = producer.Stats()
	s.Members = set.Status()
	for _, m := range s.Members {
		for _, p := range m.Partitions {
			s.Partitions = append(s.Partitions, partitionStatus(now, m.Member, p))
		}
	}
	return s
}

func partitionStatus(now time.Time, member string, p consumerset.PartitionStatus) PartitionStatus {
	out := PartitionStatus{
		Member: member, Topic: p.Source.Partition.Topic, Partition: p.Source.Partition.Partition,
		Epoch: p.Source.Epoch, Position: p.Position, Committed: p.Committed, End: p.End, Lag: p.Lag,
	}
	l, ok := p.Lane.(*lane.Lane)
	if !ok {
		return out
	}
	st := l.Status()
	out.Holds, out.Outstanding, out.Window, out.Counters = st.Holds, st.Outstanding, st.Window, st.Counters
	out.Running, out.Busy = l.Observe(now)
	return out
}
