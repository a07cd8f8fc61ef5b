package demo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// lastLine is what scripts read.
func lastLine(out string) string {
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	return lines[len(lines)-1]
}

func TestDemoFailsAndRecoversAndLosesNothing(t *testing.T) {
	var out bytes.Buffer
	r, err := Run(t.Context(), Config{For: 3 * time.Second, Rate: 200, FailureShare: 0.05}, &out)
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if !strings.HasPrefix(lastLine(out.String()), "lost=0 out_of_order=0 duplicates=") {
		t.Errorf("last line %q", lastLine(out.String()))
	}
	// It is no proof when nothing went wrong: about 600 earthquakes, of which 5 %
	// failed once and a head several times.
	if r.Inputs < 300 || r.Runs < r.Inputs+10 || r.Outputs < 5 || r.Commits < 5 {
		t.Errorf("inputs %d, runs %d, outputs %d, commits %d", r.Inputs, r.Runs, r.Outputs, r.Commits)
	}
	if strings.Contains(out.String(), "not caught up") || !strings.Contains(out.String(), ": retry ") {
		t.Errorf("it did not catch up, or nothing was held:\n%s", out.String())
	}
}

// watched ends a context at the first line that has text.
type watched struct {
	out  bytes.Buffer
	text string
	seen func()
}

func (w *watched) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(w.text)) {
		w.seen()
	}
	return w.out.Write(b)
}

func TestDemoEndsEarlyInOrder(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &watched{text: "s of 600s", seen: cancel}
	r, err := Run(ctx, Config{For: 10 * time.Minute, FailureShare: -1}, out) // nobody waits so long: the test would time out
	if err != nil {
		t.Fatalf("%v\n%s", err, out.out.String())
	}
	if got := lastLine(out.out.String()); got != "lost=0 out_of_order=0 duplicates=0" || r.Inputs == 0 {
		t.Errorf("last line %q, inputs %d", got, r.Inputs)
	}
}

func TestDemoSettingsAreChecked(t *testing.T) {
	_, err := Run(t.Context(), Config{For: time.Millisecond, Rate: -1, Partitions: 31, FailureShare: 0.9}, io.Discard)
	bad, ok := errors.AsType[*SettingsError](err)
	if !ok || bad.ExitCode() != 2 {
		t.Fatalf("error %v", err)
	}
	for _, name := range []string{"--for:", "--rate:", "--partitions:", "--failures:"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q does not speak of %s", err, name)
		}
	}
}

func TestZerosOfFlagsAreNoDefaults(t *testing.T) {
	cmd := Command()
	cmd.SetArgs([]string{"--for", "0", "--rate", "0", "--partitions", "0", "--failures", "-1"})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.ExecuteContext(t.Context())
	if _, ok := errors.AsType[*SettingsError](err); !ok {
		t.Fatalf("error %v", err)
	}
	for _, name := range []string{"--for: 0s", "--rate: 0", "--partitions: 0", "--failures: -1"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q does not speak of %s", err, name)
		}
	}
	c := Config{For: 1, Rate: 1, Partitions: 1}
	if err := c.zeros(); err != nil || c.withDefaults().FailureShare != 0 {
		t.Errorf("a share of 0 became %v (%v)", c.withDefaults().FailureShare, err)
	}
}

func TestDemoThatCannotWriteEndsAndSaysSo(t *testing.T) {
	r, w := io.Pipe()
	_ = r.Close()
	if _, err := Run(t.Context(), Config{For: time.Second}, w); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}
