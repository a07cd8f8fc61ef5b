package consumerset

import "slices"

// State is what a member is doing. Its words are those of logs and events.
type State uint8

const (
	// Joining waits for an assignment.
	Joining State = iota
	// Assigning is inside the callback that gives partitions.
	Assigning
	// Steady has its assignment.
	Steady
	// Revoking is inside the callback that takes partitions back.
	Revoking
	// Closing starts nothing new; it ends in Closed or Abandoned.
	Closing
	// Closed is the end: the client is gone and the group knows it.
	Closed
	// Abandoned is the end too: nobody waits for the client any more.
	Abandoned
	// Failed means that the member ended by itself.
	Failed
)

// String returns the word that logs use.
func (s State) String() string {
	switch s {
	case Joining:
		return "joining"
	case Assigning:
		return "assigning"
	case Steady:
		return "steady"
	case Revoking:
		return "revoking"
	case Closing:
		return "closing"
	case Closed:
		return "closed"
	case Abandoned:
		return "abandoned"
	case Failed:
		return "failed"
	}
	return "unknown"
}

// next returns the legal moves from a state. Closing has none to Assigning and
// Revoking: callbacks that come then do not change what the member is doing.
func (s State) next() []State {
	switch s {
	case Joining:
		return []State{Assigning, Revoking, Closing, Failed}
	case Assigning:
		return []State{Steady, Closing, Failed}
	case Steady:
		return []State{Assigning, Revoking, Closing, Failed}
	case Revoking:
		return []State{Joining, Closing, Failed}
	case Closing:
		return []State{Closed, Abandoned, Failed}
	case Failed:
		return []State{Closed, Abandoned}
	case Closed, Abandoned:
		return nil
	}
	return nil
}

// CanMove tells whether a member may go from one state to the other.
func (s State) CanMove(to State) bool { return slices.Contains(s.next(), to) }
