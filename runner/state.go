package runner

import (
	"fmt"
	"sync"
	"time"

	"github.com/pitlane-go/pitlane/event"
)

// State is where a runner stands.
type State int

// The states, in order. A runner may leave any of them for a later one.
const (
	StateNew State = iota
	StateStarting
	StateRunning
	StateDraining
	StateStopped
)

// String returns the word that logs and events use.
func (s State) String() string {
	switch s {
	case StateNew:
		return "new"
	case StateStarting:
		return "starting"
	case StateRunning:
		return "running"
	case StateDraining:
		return "draining"
	case StateStopped:
		return "stopped"
	}
	return fmt.Sprintf("State(%d)", int(s))
}

// machine holds the state. Moves go forward only and are events.
type machine struct {
	events event.Sink

	mu    sync.Mutex
	state State
	since time.Time
}

func (m *machine) move(to State, reason string) {
	now := time.Now()
	m.mu.Lock()
	from := m.state
	if to <= from {
		m.mu.Unlock()
		panic(fmt.Sprintf("runner: illegal move from %v to %v", from, to))
	}
	m.state, m.since = to, now
	m.mu.Unlock()
	m.events(now, event.RunnerState{From: from.String(), To: to.String(), Reason: reason})
}

func (m *machine) get() (State, time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state, m.since
}
