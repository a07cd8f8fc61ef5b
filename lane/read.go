package lane

import (
	"errors"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

// readLimit is how many messages one read of the feed brings at most: enough to
// make the cost of a read small, and few enough that a slow processor does not
// copy more than it needs.
const readLimit = 500

// read takes what the feed has.
func (l *Lane) read() {
	msgs, more, err := l.cfg.Feed.Read(readLimit)
	l.more = more
	msgs = l.fresh(msgs)
	if len(msgs) > 0 {
		l.receive(msgs)
	}
	if err == nil {
		return
	}
	l.feedErr = err
	if errors.Is(err, ErrFeedClosed) {
		return
	}
	l.update(func(now time.Time) {
		l.feedDead = true
		l.out = append(l.out, event.FeedFailed{Source: l.cfg.Source, Offset: l.nextOff, Cause: err})
		l.hold(now, pause.Hold{Reason: pause.Paused, Since: now, Offset: l.nextOff, Cause: err})
	})
}

// receive makes units of messages.
func (l *Lane) receive(msgs []processor.Message) {
	if l.cfg.BatchProcessor != nil {
		units := l.gather.add(msgs, time.Now())
		l.mu.Lock()
		l.win.push(units)
		l.mu.Unlock()
		return
	}
	slab := singles(msgs)
	l.mu.Lock()
	l.win.pushSingles(slab)
	l.mu.Unlock()
}

// fresh drops what the lane has had already: the client may fetch again what it
// handed out when a rebalance callback comes between. Both may lie in one read.
func (l *Lane) fresh(msgs []processor.Message) []processor.Message {
	n := 0
	for i := range msgs {
		if msgs[i].Offset < l.nextOff {
			continue
		}
		if n < i {
			msgs[n] = msgs[i]
		}
		n++
		l.nextOff = msgs[i].Offset + 1
	}
	if stale := len(msgs) - n; stale > 0 {
		l.mu.Lock()
		l.count.Stale += int64(stale)
		l.mu.Unlock()
	}
	return msgs[:n]
}
