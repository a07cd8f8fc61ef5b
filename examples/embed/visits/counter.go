package visits

import (
	"context"
	"sync"

	"github.com/pitlane-go/pitlane/processor"
)

// Counter is the processor: it counts messages by key. All partitions and the HTTP
// server use the one value, so it has a lock.
//
// The counts live in memory only: after a restart they start again at zero, while
// the group goes on behind its last commit. A real service would write them to a
// store that it reads again.
type Counter struct {
	mu     sync.Mutex
	byPage map[string]int
}

// Process implements processor.Processor.
func (c *Counter) Process(_ context.Context, m *processor.Message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byPage == nil {
		c.byPage = map[string]int{}
	}
	c.byPage[string(m.Key)]++
	return nil
}

// Count returns the visits of a page.
func (c *Counter) Count(page string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byPage[page]
}
