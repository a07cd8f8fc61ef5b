package scenario_test

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/scenario/rig"
)

// others are the partitions beside partition 1, in which the trouble is.
var others = []int32{0, 2, 3, 4, 5}

// create makes an empty file: a sign to the processor.
func create(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// stopClean stops processes and wants nothing to be left.
func stopClean(t *testing.T, processes ...*rig.Process) {
	t.Helper()
	for _, p := range processes {
		p.Signal(syscall.SIGTERM)
	}
	for _, p := range processes {
		if code := p.Wait(30 * time.Second); code != 0 {
			t.Errorf("exit code %d of %s, want 0", code, p.Name)
		}
	}
}

func held(l rig.Line, partition int64, reason string) bool {
	return l.Message == "hold started" && l.Int("partition") == partition && l.String("reason") == reason
}

func holdsOf(p *rig.Process, partition int64, reason string) []rig.Line {
	return slices.DeleteFunc(p.Log(), func(l rig.Line) bool { return !held(l, partition, reason) })
}

// lines returns the log lines with this message.
func lines(p *rig.Process, message string) []rig.Line {
	return slices.DeleteFunc(p.Log(), func(l rig.Line) bool { return l.Message != message })
}

// troubles are the lines about something that does not go as it should.
func troubles(p *rig.Process) []rig.Line {
	var out []rig.Line
	for _, message := range []string{"hold started", "unit skipped", "delivery rewound", "unhealthy", "client error"} {
		out = append(out, lines(p, message)...)
	}
	return out
}

// contains checks that a text names what it should.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in: %s", part, text)
		}
	}
}
