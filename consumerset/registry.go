package consumerset

import (
	"sync"

	"github.com/pitlane-go/pitlane/processor"
)

// registry remembers the last lane of each partition in this process, whichever
// member it was on: the next one starts nothing before its attempts have returned,
// obedient or not.
type registry struct {
	mu   sync.Mutex
	last map[processor.Partition]<-chan struct{}
}

func newRegistry() *registry {
	return &registry{last: map[processor.Partition]<-chan struct{}{}}
}

// earlier returns the channel of the partition's last lane, nil if there is none
// or if it has returned.
func (r *registry) earlier(p processor.Partition) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.last[p]
	if c == nil {
		return nil
	}
	select {
	case <-c:
		delete(r.last, p)
		return nil
	default:
		return c
	}
}

func (r *registry) started(p processor.Partition, done <-chan struct{}) {
	r.mu.Lock()
	r.last[p] = done
	r.mu.Unlock()
}
