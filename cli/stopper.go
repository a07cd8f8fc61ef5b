package cli

import (
	"os"
	"sync"
)

// stopper counts signals and does what the count asks for.
type stopper struct {
	// Set at construction.
	leaveCh chan struct{} // closed by the last step

	// Guarded by mu.
	mu    sync.Mutex
	steps []func()
	next  int
}

// newStopper makes the steps of an ordinary command: cancel, then leave.
func newStopper(cancel func()) *stopper {
	s := &stopper{leaveCh: make(chan struct{})}
	s.steps = []func(){cancel, s.leave}
	return s
}

func (s *stopper) leave() { close(s.leaveCh) }

// replace gives the steps of a command that stops in its own way; leaving
// follows them. Signals that came before are made up for.
func (s *stopper) replace(steps ...func()) {
	s.mu.Lock()
	done := s.next
	s.steps = append(steps, s.leave)
	s.next = 0
	s.mu.Unlock()
	for range done {
		s.step()
	}
}

// step does the next step, outside the lock.
func (s *stopper) step() {
	s.mu.Lock()
	if s.next >= len(s.steps) {
		s.mu.Unlock()
		return
	}
	do := s.steps[s.next]
	s.next++
	s.mu.Unlock()
	do()
}

// watch takes signals until the command is done.
func (s *stopper) watch(done <-chan struct{}, signals <-chan os.Signal) {
	for {
		select {
		case _, ok := <-signals:
			if !ok {
				return
			}
			s.step()
		case <-done:
			return
		}
	}
}
