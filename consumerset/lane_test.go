package consumerset_test

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// testLane processes messages by noting them. It obeys like a real one.
type testLane struct {
	a        consumerset.Assignment
	journal  *journal
	position atomic.Int64

	mu     sync.Mutex
	fenced bool

	drain, stop, idle, done chan struct{}
	drainOnce, stopOnce     sync.Once
}

func newTestLane(a consumerset.Assignment, j *journal) *testLane {
	l := &testLane{
		a: a, journal: j,
		drain: make(chan struct{}), stop: make(chan struct{}),
		idle: make(chan struct{}), done: make(chan struct{}),
	}
	l.position.Store(a.Start)
	return l
}

func (l *testLane) Position() int64       { return l.position.Load() }
func (l *testLane) Idle() <-chan struct{} { return l.idle }
func (l *testLane) Done() <-chan struct{} { return l.done }
func (l *testLane) Drain()                { l.drainOnce.Do(func() { close(l.drain) }) }
func (l *testLane) Stop()                 { l.stopOnce.Do(func() { close(l.stop) }) }

func (l *testLane) Fence(error) {
	l.mu.Lock()
	l.fenced = true
	l.mu.Unlock()
	l.Stop()
}

func (l *testLane) Run() {
	defer close(l.done)
	if l.a.After != nil {
		select {
		case <-l.a.After:
		case <-l.drain:
		case <-l.stop:
			return
		}
	}
	l.journal.began(l)
	// A lane that is idle runs nothing any more, though its goroutine is still there.
	over := sync.OnceFunc(func() { l.journal.ended(l) })
	defer over()
	wake := l.a.Feed.Wake()
	for {
		select {
		case <-l.stop:
			return
		case <-l.drain:
			over()
			close(l.idle)
			<-l.stop
			return
		case <-wake:
		}
		if !l.readAll() {
			wake = nil
		}
	}
}

// readAll takes what the feed has. It returns false when the feed is dead.
func (l *testLane) readAll() bool {
	for {
		msgs, more, err := l.a.Feed.Read(100)
		for i := range msgs {
			l.process(&msgs[i])
		}
		if err != nil {
			if !errors.Is(err, lane.ErrFeedClosed) {
				l.journal.dead(l.a.Source.Partition, err)
			}
			return false
		}
		select {
		case <-l.drain:
			return true
		case <-l.stop:
			return true
		default:
		}
		if !more {
			return true
		}
	}
}

func (l *testLane) process(m *processor.Message) {
	l.journal.gate(m)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fenced {
		return
	}
	l.journal.ran(l.a.Source, m)
	l.position.Store(m.Offset + 1)
}
