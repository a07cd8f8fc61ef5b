package live_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pitlane-go/pitlane/demo/live"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func frame() live.Frame {
	return live.Frame{
		Title: "Pitlane demo", Notes: []string{"a note"},
		Elapsed: 12 * time.Second, Total: 30 * time.Second,
		Rows: []live.Row{
			{Name: "earthquakes 0", Position: 1204, Lag: 3, Rate: 87.4},
			{Name: "earthquakes 1", Position: 233, Lag: 612, Hold: "retry", Attempt: 6, Left: 2350 * time.Millisecond, Cause: "off line"},
			{Name: "earthquakes 2", Position: 77},
			{Name: "earthquakes 10", Position: 0, Lag: -1, Hold: "paused"},
		},
		Totals: []live.Total{{Name: "produced", Value: 3600}, {Name: "injected failures", Value: 74}},
	}
}

// visible is what is left on a terminal after the sequences that Draw uses.
func visible(t *testing.T, s string) []string {
	t.Helper()
	for _, seq := range []string{"\x1b[?25l", "\x1b[?25h", "\x1b[?7l", "\x1b[?7h", "\x1b[K"} {
		s = strings.ReplaceAll(s, seq, "")
	}
	var lines []string
	row := 0
	for s != "" {
		if rest, ok := strings.CutPrefix(s, "\x1b[J"); ok {
			lines, s = lines[:row], rest
			continue
		}
		if rest, ok := strings.CutPrefix(s, "\x1b["); ok {
			n, after, found := strings.Cut(rest, "A\r")
			if !found || len(n) > 2 {
				t.Fatalf("an unknown sequence: %q", s)
			}
			k := 0
			for _, d := range n {
				k = 10*k + int(d-'0')
			}
			row, s = row-k, after
			continue
		}
		text, rest, _ := strings.Cut(s, "\n")
		if row == len(lines) {
			lines = append(lines, "")
		}
		lines[row] = text
		row, s = row+1, rest
	}
	return lines
}

func TestTerminalShowsTheFrame(t *testing.T) {
	var out bytes.Buffer
	s := live.NewTerminal(&out, false, 0)
	if err := s.Draw(frame()); err != nil {
		t.Fatal(err)
	}
	want := `
  Pitlane demo   ━━━━━━━━━┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  12s of 30s
  a note

  PARTITION        POSITION       LAG    RATE/S   STATE
  earthquakes 0       1,204         3        87   ● running
  earthquakes 1         233       612         0   ■ retry 6, next in 2.4s  off line
  earthquakes 2          77         0         0   ○ idle
  earthquakes 10          0         ?         0   ■ paused

  produced 3,600  ·  injected failures 74
`
	if got := strings.Join(visible(t, out.String()), "\n"); got != want {
		t.Errorf("picture:\n%s\nwant:\n%s", got, want)
	}
}

func TestTerminalRedrawsInPlaceAlsoWhenTheFrameShrinks(t *testing.T) {
	var out bytes.Buffer
	s := live.NewTerminal(&out, false, 0)
	small := frame()
	small.Rows = small.Rows[:1]
	for _, f := range []live.Frame{frame(), frame(), small} {
		if err := s.Draw(f); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.HasSuffix(out.String(), "\x1b[?7h\x1b[?25h") {
		t.Error("between frames the terminal is not given back")
	}
	var once bytes.Buffer
	_ = live.NewTerminal(&once, false, 0).Draw(small)
	got, want := visible(t, out.String()), visible(t, once.String())
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("on the terminal:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Moving up stops at the first line of a terminal: what is higher would be drawn
// below itself again and again.
func TestALowTerminalGetsWhatFits(t *testing.T) {
	var out bytes.Buffer
	s := live.NewTerminal(&out, false, 7)
	for range 3 {
		if err := s.Draw(frame()); err != nil {
			t.Fatal(err)
		}
	}
	got := visible(t, out.String())
	if len(got) != 6 || !strings.Contains(got[5], "earthquakes 0") {
		t.Errorf("%d lines on a terminal of 7:\n%s", len(got), strings.Join(got, "\n"))
	}
	if n := strings.Count(out.String(), "\x1b[6A"); n != 2 {
		t.Errorf("went back to the head %d times, want 2", n)
	}
}

func TestACountdownIsNeverZero(t *testing.T) {
	var out bytes.Buffer
	f := frame()
	f.Rows[1].Left = time.Millisecond
	_ = live.New(&out).Draw(f)
	if !strings.Contains(out.String(), "next in 0.1s") {
		t.Errorf("got %q", out.String())
	}
}

func TestTerminalColoursHolds(t *testing.T) {
	var out bytes.Buffer
	_ = live.NewTerminal(&out, true, 0).Draw(frame())
	if !strings.Contains(out.String(), "\x1b[33m■ retry 6, next in 2.4s\x1b[0m") {
		t.Errorf("no colour in %q", out.String())
	}
}

func TestWithoutATerminalAFrameIsOneLine(t *testing.T) {
	var out bytes.Buffer
	s := live.New(&out)
	f := frame()
	f.Phase = "catching up"
	_ = s.Draw(f)
	_ = s.Draw(f)
	want := "12s of 30s, catching up produced=3600 injected_failures=74 lag=615 | earthquakes 1 at 233 lag 612: retry 6, next in 2.4s | earthquakes 10 at 0 lag 0: paused\n"
	if out.String() != want+want {
		t.Errorf("lines:\n%s\nwant twice:\n%s", out.String(), want)
	}
	if s.Interval() != time.Second {
		t.Errorf("interval %v", s.Interval())
	}
}
