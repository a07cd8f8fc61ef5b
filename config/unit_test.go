package config_test

import (
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/config"
)

func TestSizesAndDurationsAreReadAndShownWithTheirUnit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		bytes int64
		shown string
	}{
		"4MiB": {4 << 20, "4MiB"}, "1.5 GiB": {3 << 29, "1536MiB"}, "1500kB": {1_500_000, "1500000B"},
		"5MB": {5_000_000, "5000000B"}, "2048KiB": {2 << 20, "2MiB"}, "1048577B": {1<<20 + 1, "1048577B"}, "1GiB": {1 << 30, "1GiB"},
	} {
		c := load(t, minimal+"buffer: {max_bytes: "+text+"}\n", config.Sources{})
		if c.Runner.BufferMaxBytes != want.bytes {
			t.Errorf("%s is %d bytes", text, c.Runner.BufferMaxBytes)
		}
		if got := origin(t, c, "buffer.max_bytes").Value; got != want.shown {
			t.Errorf("%s is shown as %v", text, got)
		}
	}
	for text, want := range map[string]struct {
		d     time.Duration
		shown string
	}{
		"250ms": {250 * time.Millisecond, "250ms"}, "60s": {time.Minute, "1m"}, "90s": {90 * time.Second, "1m30s"},
		"2h": {2 * time.Hour, "2h"}, "70m": {70 * time.Minute, "1h10m"}, "1h30s": {time.Hour + 30*time.Second, "1h0m30s"}, "0": {0, "0"},
	} {
		c := load(t, minimal+"processor_timeout: "+text+"\n", config.Sources{})
		if c.Runner.ProcessorTimeout != want.d {
			t.Errorf("%s is %v", text, c.Runner.ProcessorTimeout)
		}
		if got := origin(t, c, "processor_timeout").Value; got != want.shown {
			t.Errorf("%s is shown as %v", text, got)
		}
	}
}
