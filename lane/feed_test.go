package lane_test

import (
	"strconv"
	"sync"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// feed is a lane.Feed that the test fills. Its wake channel gets a token when
// the feed goes from empty to not empty, and at no other time: what a client's
// queue does.
type feed struct {
	wakeCh chan struct{} // capacity 1, as the interface says

	mu    sync.Mutex
	queue []processor.Message
	err   error
	reads int
}

func newFeed() *feed {
	f := &feed{wakeCh: make(chan struct{}, 1)}
	f.wake()
	return f
}

// Read implements lane.Feed.
func (f *feed) Read(limit int) (msgs []processor.Message, more bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads++
	n := min(limit, len(f.queue))
	msgs, f.queue = f.queue[:n:n], f.queue[n:]
	if len(f.queue) == 0 {
		f.queue, err = nil, f.err // a new slab for what comes next
	}
	// With an error nobody may rely on more: it is true, to see who does.
	return msgs, len(f.queue) > 0 || err != nil, err
}

// Wake implements lane.Feed.
func (f *feed) Wake() <-chan struct{} { return f.wakeCh }

func (f *feed) wake() {
	select {
	case f.wakeCh <- struct{}{}:
	default:
	}
}

// push appends messages.
func (f *feed) push(msgs ...processor.Message) {
	f.mu.Lock()
	empty := len(f.queue) == 0
	f.queue = append(f.queue, msgs...)
	f.mu.Unlock()
	if empty && len(msgs) > 0 {
		f.wake()
	}
}

// fail lets the feed die behind what is in it.
func (f *feed) fail(err error) {
	f.mu.Lock()
	f.err = err
	f.mu.Unlock()
	f.wake()
}

// readCount is how often the lane has read.
func (f *feed) readCount() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reads
}

// message makes a message of the partition; its value names its offset.
func message(offset int64) processor.Message {
	return processor.Message{
		Topic: source.Partition.Topic, Partition: source.Partition.Partition,
		Offset: offset, Value: []byte(strconv.FormatInt(offset, 10)),
	}
}

// messages makes messages with these offsets.
func messages(offsets ...int64) []processor.Message {
	var out []processor.Message
	for _, o := range offsets {
		out = append(out, message(o))
	}
	return out
}

// through lists the offsets first to last.
func through(first, last int64) (offsets []int64) {
	for o := first; o <= last; o++ {
		offsets = append(offsets, o)
	}
	return offsets
}

var _ lane.Feed = (*feed)(nil)
