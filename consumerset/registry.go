package consumerset

import (
	"slices"
	"sync"

	"github.com/pitlane-go/pitlane/processor"
)

// registry remembers the lanes of each partition in this process, whichever member
// they were on: the next one starts nothing before the attempts of all of them have
// returned, obedient or not. The last lane alone does not tell: one that was revoked
// while it waited for its turn returns before the one that it waited for.
type registry struct {
	mu      sync.Mutex
	running map[processor.Partition][]<-chan struct{}
}

func newRegistry() *registry {
	return &registry{running: map[processor.Partition][]<-chan struct{}{}}
}

// earlier returns a channel that is closed when all lanes of the partition have
// returned, nil if they have.
func (r *registry) earlier(p processor.Partition) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := slices.DeleteFunc(r.running[p], isClosed)
	if len(left) == 0 {
		delete(r.running, p)
		return nil
	}
	r.running[p] = left
	var all <-chan struct{}
	for _, c := range left {
		all = both(all, c)
	}
	return all
}

func (r *registry) started(p processor.Partition, done <-chan struct{}) {
	r.mu.Lock()
	r.running[p] = append(r.running[p], done)
	r.mu.Unlock()
}
