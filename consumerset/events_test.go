package consumerset_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/event"
)

// events gathers state changes.
type events struct {
	mu      sync.Mutex
	list    []event.Event
	changed chan struct{}
}

func (e *events) take(_ time.Time, ev event.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, ev)
	close(e.changed)
	e.changed = make(chan struct{})
}

func (e *events) all() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]string, len(e.list))
	for i, ev := range e.list {
		out[i] = fmt.Sprintf("%T%+v", ev, ev)
	}
	return out
}

// one waits for an event that matches.
func one[E event.Event](r *rig, what string, match func(E) bool) E {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	for {
		r.events.mu.Lock()
		list, changed := r.events.list, r.events.changed
		r.events.mu.Unlock()
		for _, ev := range list {
			if e, ok := ev.(E); ok && match(e) {
				return e
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			r.t.Fatalf("no event %s; got %v", what, r.events.all())
		}
	}
}

// commits notes the offsets of commits in the order in which they arrive, and
// answers them with an error when it is told to.
type commits struct {
	mu     sync.Mutex
	at     map[int32][]int64
	refuse func(n int) int16 // error code of the n-th request
	hold   chan struct{}     // requests wait until it is closed
	n      int
}

func (c *commits) watch(k *kfake.Cluster) func(kmsg.Request) (kmsg.Response, error, bool) {
	return func(r kmsg.Request) (kmsg.Response, error, bool) {
		k.KeepControl()
		req := r.(*kmsg.OffsetCommitRequest)
		c.mu.Lock()
		hold := c.hold
		c.mu.Unlock()
		if hold != nil {
			k.SleepControl(func() { <-hold })
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.n++
		if c.refuse != nil {
			if code := c.refuse(c.n); code != 0 {
				return refused(req, code), nil, true
			}
		}
		for _, t := range req.Topics {
			for _, p := range t.Partitions {
				c.at[p.Partition] = append(c.at[p.Partition], p.Offset)
			}
		}
		return nil, nil, false
	}
}

// refuseWith answers the n-th request with the error code that f returns, if any.
func (c *commits) refuseWith(f func(n int) int16) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refuse = f
}

// holdAll holds the answers of all commits until the returned function is called.
func (c *commits) holdAll() (release func()) {
	hold := make(chan struct{})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold = hold
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.hold = nil
		close(hold)
	}
}

func refused(req *kmsg.OffsetCommitRequest, code int16) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.OffsetCommitResponse)
	for _, t := range req.Topics {
		rt := kmsg.NewOffsetCommitResponseTopic()
		rt.Topic, rt.TopicID = t.Topic, t.TopicID
		for _, p := range t.Partitions {
			rp := kmsg.NewOffsetCommitResponseTopicPartition()
			rp.Partition, rp.ErrorCode = p.Partition, code
			rt.Partitions = append(rt.Partitions, rp)
		}
		resp.Topics = append(resp.Topics, rt)
	}
	return resp
}

// backwards tells which partition's commits went back.
func (c *commits) backwards() (out []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for p, list := range c.at {
		for i := 1; i < len(list); i++ {
			if list[i] < list[i-1] {
				out = append(out, fmt.Sprintf("partition %d: %d after %d", p, list[i], list[i-1]))
			}
		}
	}
	return out
}

func (c *commits) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
