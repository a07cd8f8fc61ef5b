package runner

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// Trouble is something that an operator should know of.
type Trouble struct {
	Reason string
	Since  time.Time
	Cause  error
}

// health keeps what makes the runner unhealthy: one event when a reason comes,
// one when it goes.
type health struct {
	events event.Sink

	mu       sync.Mutex
	troubles map[string]Trouble
	// config holds the configuration failures by partition: the offset that
	// failed and since when.
	config map[processor.Partition]configFailure
}

type configFailure struct {
	offset int64
	since  time.Time
	cause  error
}

func newHealth(events event.Sink) *health {
	return &health{
		events: events, troubles: map[string]Trouble{}, config: map[processor.Partition]configFailure{},
	}
}

// bad reports trouble.
func (h *health) bad(reason string, cause error) {
	now := time.Now()
	h.mu.Lock()
	_, known := h.troubles[reason]
	if !known {
		h.troubles[reason] = Trouble{reason, now, cause}
	}
	h.mu.Unlock()
	if !known {
		h.events(now, event.Unhealthy{Reason: reason, Cause: cause})
	}
}

// good ends trouble.
func (h *health) good(reason string) {
	now := time.Now()
	h.mu.Lock()
	t, known := h.troubles[reason]
	delete(h.troubles, reason)
	h.mu.Unlock()
	if known {
		h.events(now, event.Healthy{Reason: reason, Lasted: now.Sub(t.Since)})
	}
}

// all returns the troubles.
func (h *health) all() []Trouble {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]Trouble, 0, len(h.troubles))
	for _, t := range h.troubles {
		out = append(out, t)
	}
	return out
}

func configReason(p processor.Partition) string {
	return fmt.Sprintf("configuration failure at %s/%d", p.Topic, p.Partition)
}

// configFailed notes a configuration failure of a partition.
func (h *health) configFailed(f lane.Failure) {
	h.mu.Lock()
	if _, known := h.config[f.Partition]; !known {
		h.config[f.Partition] = configFailure{f.Offset, time.Now(), f.Err}
	}
	h.mu.Unlock()
	h.bad(configReason(f.Partition), f.Err)
}

// review forgets the configuration failures that are over: the partition's
// position passed them, or it is not ours any more. It returns the error of one
// that lasts longer than the grace time.
func (h *health) review(now time.Time, grace time.Duration, positions map[processor.Partition]int64) error {
	var over []processor.Partition
	var late error
	h.mu.Lock()
	for p, c := range h.config {
		pos, ours := positions[p]
		if !ours || pos > c.offset {
			over = append(over, p)
			delete(h.config, p)
			continue
		}
		if now.Sub(c.since) > grace {
			late = errors.Join(late, fmt.Errorf("%s lasts longer than failure_grace (%v): %w", configReason(p), grace, c.cause))
		}
	}
	h.mu.Unlock()
	for _, p := range over {
		h.good(configReason(p))
	}
	return late
}
