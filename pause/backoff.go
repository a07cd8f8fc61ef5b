package pause

import (
	"math"
	"time"
)

// Backoff is an exponential, capped back-off.
type Backoff struct {
	// Initial is the ceiling of the first wait, Max that of all.
	Initial, Max time.Duration
	// Multiplier is how the ceiling grows from one failure to the next; at
	// least 1.
	Multiplier float64
	// Jitter is the share of the ceiling that is drawn at random: 0 waits the
	// ceiling itself, 1 anything between nothing and the ceiling ("full jitter").
	Jitter float64
}

// Ceiling returns the longest wait after failure n, 1 first.
func (b Backoff) Ceiling(n int) time.Duration {
	if b.Initial <= 0 {
		return 0 // and not 0 times infinity, for a large n
	}
	c := float64(b.Initial) * math.Pow(b.Multiplier, float64(max(n, 1)-1))
	// Not ">": the float of the longest durations is beyond what a duration holds.
	if c >= float64(b.Max) || math.IsNaN(c) {
		return b.Max
	}
	return time.Duration(c)
}

// Wait returns the wait after failure n, 1 first. random is drawn from [0, 1).
func (b Backoff) Wait(n int, random float64) time.Duration {
	c := b.Ceiling(n)
	w := float64(c) * (1 - b.Jitter + b.Jitter*random)
	if w >= float64(c) {
		return c
	}
	return time.Duration(w)
}
