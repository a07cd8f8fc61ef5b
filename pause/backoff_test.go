package pause_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pitlane-go/pitlane/pause"
)

func TestCeilingGrowsByTheMultiplierUpToTheCap(t *testing.T) {
	const longest = time.Duration(math.MaxInt64)
	tests := []struct {
		name    string
		backoff pause.Backoff
		n       int
		want    time.Duration
	}{
		{"first failure", pause.Backoff{Initial: time.Second, Max: time.Minute, Multiplier: 2}, 1, time.Second},
		{"second failure", pause.Backoff{Initial: time.Second, Max: time.Minute, Multiplier: 2}, 2, 2 * time.Second},
		{"sixth failure", pause.Backoff{Initial: time.Second, Max: time.Minute, Multiplier: 2}, 6, 32 * time.Second},
		{"cap", pause.Backoff{Initial: time.Second, Max: time.Minute, Multiplier: 2}, 7, time.Minute},
		{"fraction", pause.Backoff{Initial: time.Second, Max: time.Minute, Multiplier: 1.5}, 3, 2250 * time.Millisecond},
		{"constant", pause.Backoff{Initial: time.Second, Max: time.Minute, Multiplier: 1}, 1000, time.Second},
		{"initial above the cap", pause.Backoff{Initial: time.Hour, Max: time.Minute, Multiplier: 2}, 1, time.Minute},
		{"failure 0 is like the first", pause.Backoff{Initial: time.Second, Max: time.Minute, Multiplier: 2}, 0, time.Second},
		{"negative failure is like the first", pause.Backoff{Initial: time.Second, Max: time.Minute, Multiplier: 2}, -3, time.Second},
		{"beyond a float", pause.Backoff{Initial: time.Second, Max: time.Minute, Multiplier: 2}, math.MaxInt, time.Minute},
		{"beyond a duration", pause.Backoff{Initial: time.Second, Max: longest, Multiplier: 2}, 64, longest},
		{"cap that no float holds", pause.Backoff{Initial: longest, Max: longest, Multiplier: 2}, 1, longest},
		{"no wait at all", pause.Backoff{Initial: 0, Max: time.Minute, Multiplier: 2}, 5, 0},
		{"no wait at all, large n", pause.Backoff{Initial: 0, Max: time.Minute, Multiplier: 2}, math.MaxInt, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.backoff.Ceiling(tt.n); got != tt.want {
				t.Errorf("Ceiling(%d) = %v, want %v", tt.n, got, tt.want)
			}
		})
	}
}

func TestJitterTakesItsShareOffTheCeiling(t *testing.T) {
	tests := []struct {
		name           string
		jitter, random float64
		want           time.Duration
	}{
		{"none waits the ceiling, whatever is drawn", 0, 0, 4 * time.Second},
		{"none waits the ceiling, highest draw", 0, 0.999, 4 * time.Second},
		{"full, lowest draw", 1, 0, 0},
		{"full, half", 1, 0.5, 2 * time.Second},
		{"a quarter, lowest draw", 0.25, 0, 3 * time.Second},
		{"a quarter, half", 0.25, 0.5, 3500 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pause.Backoff{Initial: time.Second, Max: time.Minute, Multiplier: 2, Jitter: tt.jitter}
			if got := b.Wait(3, tt.random); got != tt.want {
				t.Errorf("Wait(3, %v) = %v, want %v", tt.random, got, tt.want)
			}
		})
	}
}

func TestWaitOfTheLongestDurationIsThatDuration(t *testing.T) {
	const longest = time.Duration(math.MaxInt64)
	b := pause.Backoff{Initial: longest, Max: longest, Multiplier: 2}
	if got := b.Wait(1, 0.5); got != longest {
		t.Errorf("Wait = %v, want %v", got, longest)
	}
}

func TestWaitStaysBetweenItsBoundsForAnySettings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := pause.Backoff{
			Initial:    time.Duration(rapid.Int64Min(0).Draw(t, "initial")),
			Max:        time.Duration(rapid.Int64Min(0).Draw(t, "max")),
			Multiplier: rapid.Float64Range(1, 1e9).Draw(t, "multiplier"),
			Jitter:     rapid.Float64Range(0, 1).Draw(t, "jitter"),
		}
		n := rapid.OneOf(rapid.IntRange(1, 100), rapid.Int()).Draw(t, "n")
		ceiling := b.Ceiling(n)
		if ceiling < 0 || ceiling > b.Max {
			t.Fatalf("Ceiling(%d) = %v is outside 0 to %v", n, ceiling, b.Max)
		}
		if n > 0 && n < math.MaxInt && b.Ceiling(n+1) < ceiling {
			t.Fatalf("Ceiling(%d) = %v, but %v one failure later", n, ceiling, b.Ceiling(n+1))
		}
		// A float has 53 bits: the lowest wait may be off by one part in 2^52.
		lowest := float64(ceiling)*(1-b.Jitter)*(1-1e-15) - 1
		random := rapid.Float64Range(0, math.Nextafter(1, 0)).Draw(t, "random")
		if w := b.Wait(n, random); w < 0 || w > ceiling || float64(w) < lowest {
			t.Fatalf("Wait(%d, %v) = %v is outside %v to %v", n, random, w, time.Duration(lowest), ceiling)
		}
	})
}
