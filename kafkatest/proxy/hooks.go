package proxy

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// AnyKey makes a hook see every kind of request.
const AnyKey kmsg.Key = -1

// hook is one registered function, for requests or for responses.
type hook struct {
	key          kmsg.Key
	requestFunc  func(*Request) Action
	responseFunc func(*Response) Action
}

// hooks is a proxy's list of hooks and its counters.
type hooks struct {
	mu   sync.Mutex
	list []*hook // replaced as a whole, so that it can be walked without the lock

	counts [kmsg.MaxKey + 1]atomic.Int64
}

// OnRequest calls f for every request of the given kind, before the broker sees it.
// Hooks are called in the order of their registration until one does not pass. The
// returned function ends it.
func (p *Proxy) OnRequest(key kmsg.Key, f func(*Request) Action) (off func()) {
	return p.hooks.add(&hook{key: key, requestFunc: f})
}

// OnResponse calls f for every response to requests of the given kind, before the
// client sees it.
func (p *Proxy) OnResponse(key kmsg.Key, f func(*Response) Action) (off func()) {
	return p.hooks.add(&hook{key: key, responseFunc: f})
}

// Requests is how many requests of the given kind the client has sent, whatever
// became of them; with AnyKey, all.
func (p *Proxy) Requests(key kmsg.Key) int64 {
	if key >= 0 && int(key) < len(p.hooks.counts) {
		return p.hooks.counts[key].Load()
	}
	var sum int64
	if key == AnyKey {
		for i := range p.hooks.counts {
			sum += p.hooks.counts[i].Load()
		}
	}
	return sum
}

func (h *hooks) add(x *hook) func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(slices.Clone(h.list), x)
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.list = slices.DeleteFunc(slices.Clone(h.list), func(y *hook) bool { return x == y })
	}
}

func (h *hooks) all() []*hook {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.list
}

func (h *hooks) count(key kmsg.Key) {
	if key >= 0 && int(key) < len(h.counts) {
		h.counts[key].Add(1)
	}
}

// request asks the hooks, without the lock: they may block, and register others.
func (h *hooks) request(r *Request) Action {
	for _, x := range h.all() {
		if x.requestFunc == nil || (x.key != r.Key && x.key != AnyKey) {
			continue
		}
		if a := x.requestFunc(r); a.kind != actionPass {
			return a
		}
	}
	return Pass()
}

func (h *hooks) response(r *Response) Action {
	for _, x := range h.all() {
		if x.responseFunc == nil || (x.key != r.Request.Key && x.key != AnyKey) {
			continue
		}
		if a := x.responseFunc(r); a.kind != actionPass {
			return a
		}
	}
	return Pass()
}
