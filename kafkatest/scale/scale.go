package scale

import (
	"os"
	"testing"
	"time"
)

// Env is the environment variable that chooses the scale of a run.
const Env = "PITLANE_TEST_SCALE"

// The values of Env. Empty means Short.
const (
	Short = "short"
	Full  = "full"
)

// IsFull tells whether this run is at full scale. It fails the test when the
// environment names no scale.
func IsFull(t testing.TB) bool {
	t.Helper()
	switch value := os.Getenv(Env); value {
	case "", Short:
		return false
	case Full:
		return true
	default:
		t.Fatalf("%s is %q: want %q or %q", Env, value, Short, Full)
		return false
	}
}

// N chooses a count: messages, rounds, kills.
func N(t testing.TB, short, full int) int {
	t.Helper()
	return choose(t, short, full)
}

// D chooses a duration.
func D(t testing.TB, short, full time.Duration) time.Duration {
	t.Helper()
	return choose(t, short, full)
}

func choose[V any](t testing.TB, short, full V) V {
	t.Helper()
	chosen := short
	if IsFull(t) {
		chosen = full
	}
	t.Logf("scale: %v (short %v, full %v)", chosen, short, full)
	return chosen
}
