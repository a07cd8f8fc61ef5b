package pause_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// at is a moment of the tests' clock.
func at(seconds int) time.Time { return time.Unix(1_700_000_000+int64(seconds), 0) }
