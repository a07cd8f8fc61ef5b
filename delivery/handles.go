package delivery

import "sync"

// handle is one record that waits for its delivery report.
type handle struct {
	attempt *Attempt
	index   int
	topic   string
}

// handles is the table of one generation. Whoever takes a handle out resolves
// it, so that happens once.
type handles struct {
	mu   sync.Mutex
	next uint64
	open map[uint64]handle
}

// add registers a handle and returns its id, which no other handle of this
// generation has or had.
func (t *handles) add(h handle) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next++
	t.open[t.next] = h
	return t.next
}

// take removes a handle; false when the table does not have it (any more).
func (t *handles) take(id uint64) (handle, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h, ok := t.open[id]
	delete(t.open, id)
	return h, ok
}

// takeAll empties the table.
func (t *handles) takeAll() []handle {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]handle, 0, len(t.open))
	for _, h := range t.open {
		all = append(all, h)
	}
	clear(t.open)
	return all
}

func (t *handles) len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open)
}
