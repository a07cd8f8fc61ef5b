package scale_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pitlane-go/pitlane/kafkatest/scale"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEnvironmentChoosesTheSize(t *testing.T) {
	for _, c := range []struct {
		env   string
		count int
		time  time.Duration
		full  bool
	}{
		{env: "", count: 10, time: time.Second},
		{env: scale.Short, count: 10, time: time.Second},
		{env: scale.Full, count: 1000, time: time.Minute, full: true},
	} {
		t.Run("value="+c.env, func(t *testing.T) {
			t.Setenv(scale.Env, c.env)
			if got := scale.N(t, 10, 1000); got != c.count {
				t.Errorf("N: got %d, want %d", got, c.count)
			}
			if got := scale.D(t, time.Second, time.Minute); got != c.time {
				t.Errorf("D: got %v, want %v", got, c.time)
			}
			if got := scale.IsFull(t); got != c.full {
				t.Errorf("IsFull: got %v, want %v", got, c.full)
			}
		})
	}
}

func TestUnknownScaleFailsTheTest(t *testing.T) {
	for _, value := range []string{"FULL", "fulll", "1", " full"} {
		t.Run(value, func(t *testing.T) {
			t.Setenv(scale.Env, value)
			for name, ask := range map[string]func(testing.TB){
				"N":      func(tb testing.TB) { tb.Helper(); scale.N(tb, 1, 2) },
				"D":      func(tb testing.TB) { tb.Helper(); scale.D(tb, 1, 2) },
				"IsFull": func(tb testing.TB) { tb.Helper(); scale.IsFull(tb) },
			} {
				failed := failureOf(t, ask)
				if !strings.Contains(failed, scale.Env) || !strings.Contains(failed, value) {
					t.Errorf("%s: failure %q names neither variable nor value", name, failed)
				}
			}
		})
	}
}

func TestChosenSizeIsLogged(t *testing.T) {
	t.Setenv(scale.Env, scale.Full)
	tb := &recorder{TB: t}
	scale.N(tb, 10, 1000)
	if want := "1000 (short 10, full 1000)"; !strings.Contains(tb.logged, want) {
		t.Errorf("log %q lacks %q", tb.logged, want)
	}
}

// recorder notes what a test would have logged or failed with.
type recorder struct {
	testing.TB
	logged, failed string
}

func (r *recorder) Logf(format string, args ...any) { r.logged = fmt.Sprintf(format, args...) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// failureOf runs ask on a goroutine of its own, as Fatalf ends it.
func failureOf(t *testing.T, ask func(testing.TB)) string {
	t.Helper()
	tb := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		ask(tb)
	}()
	<-done
	return tb.failed
}
