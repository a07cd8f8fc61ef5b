package lane

import (
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

// gather makes batches of messages. It is owned by the lane's goroutine.
type gather struct {
	limits BatchLimits
	msgs   []*processor.Message
	bytes  int64
	since  time.Time
}

func (g *gather) empty() bool { return len(g.msgs) == 0 }

// due is when the batch in the making is handed over though it is not full.
func (g *gather) due() (at time.Time, ok bool) {
	if g.empty() {
		return at, false
	}
	return g.since.Add(g.limits.MaxWait), true
}

// add takes messages in and returns the batches that are full. What does not
// fill one stays for later.
func (g *gather) add(msgs []processor.Message, now time.Time) (full []*unit) {
	for i := range msgs {
		m := &msgs[i]
		size := messageBytes(m)
		if !g.empty() && g.bytes+size > g.limits.MaxBytes {
			full = append(full, g.cut()...)
		}
		if g.empty() {
			g.since = now
			g.msgs = make([]*processor.Message, 0, min(len(msgs)-i, g.limits.MaxMessages))
		}
		g.msgs = append(g.msgs, m)
		g.bytes += size
		if len(g.msgs) >= g.limits.MaxMessages || g.bytes >= g.limits.MaxBytes {
			full = append(full, g.cut()...)
		}
	}
	return full
}

// cut returns the batch in the making.
func (g *gather) cut() []*unit {
	if g.empty() {
		return nil
	}
	u := &unit{msgs: g.msgs, first: g.msgs[0].Offset, next: g.msgs[len(g.msgs)-1].Offset + 1}
	g.msgs, g.bytes = nil, 0
	return []*unit{u}
}

func messageBytes(m *processor.Message) int64 {
	n := len(m.Key) + len(m.Value)
	for i := range m.Headers {
		n += len(m.Headers[i].Key) + len(m.Headers[i].Value)
	}
	return int64(n)
}
