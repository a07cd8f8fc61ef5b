package consumerset_test

import (
	"fmt"
	"sync"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// journal notes what lanes did, and finds what they must not have done.
type journal struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced at every change
	seen    map[processor.Partition]map[int64]int
	next    map[event.Source]int64
	last    map[processor.Partition]*processor.Message
	running map[processor.Partition]int
	deaths  map[processor.Partition]error
	total   int
	again   int
	wrong   []string
	hold    func(m *processor.Message) // called before a message is taken
}

func newJournal() *journal {
	return &journal{
		changed: make(chan struct{}),
		seen:    map[processor.Partition]map[int64]int{},
		next:    map[event.Source]int64{},
		last:    map[processor.Partition]*processor.Message{},
		running: map[processor.Partition]int{},
		deaths:  map[processor.Partition]error{},
	}
}

func (j *journal) change(do func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	do()
	close(j.changed)
	j.changed = make(chan struct{})
}

func (j *journal) gate(m *processor.Message) {
	if j.hold != nil {
		j.hold(m)
	}
}

func (j *journal) ran(s event.Source, m *processor.Message) {
	j.change(func() {
		p := s.Partition
		if next, ok := j.next[s]; ok && m.Offset < next {
			j.wrong = append(j.wrong, fmt.Sprintf("%v: offset %d after %d", s, m.Offset, next-1))
		}
		j.next[s] = m.Offset + 1
		if m.Topic != p.Topic || m.Partition != p.Partition {
			j.wrong = append(j.wrong, fmt.Sprintf("%v: message of %s[%d]", s, m.Topic, m.Partition))
		}
		if j.seen[p] == nil {
			j.seen[p] = map[int64]int{}
		}
		if j.seen[p][m.Offset]++; j.seen[p][m.Offset] > 1 {
			j.again++
		} else {
			j.total++
		}
		j.last[p] = m
	})
}

func (j *journal) began(l *testLane) {
	j.change(func() {
		p := l.a.Source.Partition
		if j.running[p]++; j.running[p] > 1 {
			j.wrong = append(j.wrong, fmt.Sprintf("%v: started beside another lane", l.a.Source))
		}
	})
}

func (j *journal) ended(l *testLane) {
	j.change(func() { j.running[l.a.Source.Partition]-- })
}

func (j *journal) dead(p processor.Partition, err error) {
	j.change(func() { j.deaths[p] = err })
}

// when calls ready under the lock until it is true, and tells whether it was before
// end is closed.
func (j *journal) when(end <-chan struct{}, ready func() bool) bool {
	for {
		j.mu.Lock()
		ok, changed := ready(), j.changed
		j.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-end:
			return false
		}
	}
}
