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
//
// An id is the number of a place and how often the place was used, so an id that
// was taken is not in the table any more although its place is used again.
type handles struct {
	mu     sync.Mutex
	places []place
	free   []uint32 // places without a handle
}

type place struct {
	handle handle // without an attempt: nobody waits here
	used   uint32 // never 0, so no id is 0
}

// add registers a handle and returns its id, which no other handle of this
// generation has, nor had within the last four thousand million uses of a place.
func (t *handles) add(h handle) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := len(t.free) - 1
	if last < 0 {
		t.places = append(t.places, place{h, 1})
		return id(len(t.places)-1, 1)
	}
	n := t.free[last]
	t.free = t.free[:last]
	p := &t.places[n]
	p.handle = h
	p.used = max(p.used+1, 1)
	return id(int(n), p.used)
}

func id(place int, used uint32) uint64 { return uint64(used)<<32 | uint64(place) }

// take removes a handle; false when the table does not have it (any more).
func (t *handles) take(id uint64) (handle, bool) {
	n, used := uint32(id), uint32(id>>32)
	t.mu.Lock()
	defer t.mu.Unlock()
	if int(n) >= len(t.places) || t.places[n].used != used {
		return handle{}, false
	}
	h := t.places[n].handle
	if h.attempt == nil {
		return handle{}, false
	}
	t.places[n].handle = handle{}
	t.free = append(t.free, n)
	return h, true
}

// takeAll empties the table.
func (t *handles) takeAll() []handle {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]handle, 0, len(t.places)-len(t.free))
	for n := range t.places {
		if h := t.places[n].handle; h.attempt != nil {
			all = append(all, h)
			t.places[n].handle = handle{}
			t.free = append(t.free, uint32(n))
		}
	}
	return all
}

func (t *handles) len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.places) - len(t.free)
}
