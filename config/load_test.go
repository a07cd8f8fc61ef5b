package config_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/config"
	"github.com/pitlane-go/pitlane/runner"
)

const minimal = "brokers: [localhost:9092]\ngroup: thumbnails\ntopics: [uploads]\n"

// load reads a file with this text, and what else is given.
func load(t *testing.T, text string, s config.Sources) *config.Config {
	t.Helper()
	if text != "" {
		s.File = write(t, "pitlane.yaml", text)
	}
	c, err := config.Load(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// origin finds where a key's value came from.
func origin(t *testing.T, c *config.Config, key string) config.Value {
	t.Helper()
	for _, v := range c.Values() {
		if v.Key == key {
			return v
		}
	}
	t.Fatalf("no value of %s", key)
	return config.Value{}
}

func TestFlagsOverEnvironmentOverFileOverDefaults(t *testing.T) {
	t.Parallel()
	text := minimal + "pause: {initial: 2s, max: 2m, multiplier: 3}\n"
	c := load(t, text, config.Sources{
		Env:   []string{"PITLANE_PAUSE_MAX=3m", "PITLANE_PAUSE_MULTIPLIER=4"},
		Flags: map[string][]string{"pause.multiplier": {"5"}},
	})
	p := c.Runner.Pause
	if p.Initial != 2*time.Second || p.Max != 3*time.Minute || p.Multiplier != 5 || p.MaxAttempts != 0 {
		t.Errorf("got %+v", p)
	}
	for key, want := range map[string]string{
		"pause.initial": "pitlane.yaml:4:18", "pause.max": "env PITLANE_PAUSE_MAX",
		"pause.multiplier": "flag --pause.multiplier", "pause.jitter": "default", "topics": "pitlane.yaml:3:1",
	} {
		if got := origin(t, c, key).Origin.String(); !strings.HasSuffix(got, want) {
			t.Errorf("%s comes from %q, not %q", key, got, want)
		}
	}
}

func TestWithoutAFile(t *testing.T) {
	t.Parallel()
	c := load(t, "", config.Sources{
		Env:   []string{"PITLANE_BROKERS=a:1, b:2", "PITLANE_GROUP=g"},
		Flags: map[string][]string{"topics": {"x,y", "z"}, "client": {"debug=broker", "log_level=7"}},
	})
	if got := strings.Join(c.Runner.Brokers, " "); got != "a:1 b:2" {
		t.Errorf("brokers %q", got)
	}
	if len(c.Runner.Topics) != 3 || c.Runner.Topics[2].Name != "z" {
		t.Errorf("topics %+v", c.Runner.Topics)
	}
	if c.Runner.Client["debug"] != "broker" || c.Runner.Client["log_level"] != "7" {
		t.Errorf("client %v", c.Runner.Client)
	}
}

func TestTopicEntriesStartFromTheTopLevel(t *testing.T) {
	t.Parallel()
	c := load(t, `
topics:
  - uploads
  - name: "^orders-.*"
    pause: {initial: 7s, jitter: 0}
  - {name: payments, batch: {max_messages: 1}}
pause: {initial: 2s, max: 5m}
batch: {max_wait: 1s}
brokers: localhost:9092
group: thumbnails
`, config.Sources{})
	topics := c.Runner.Topics
	if topics[0].Pause != nil || topics[0].Batch != nil {
		t.Errorf("uploads has settings of its own: %+v", topics[0])
	}
	if p := topics[1].Pause; p == nil || p.Initial != 7*time.Second || p.Max != 5*time.Minute || *p.Jitter != 0 {
		t.Errorf("orders: %+v", p)
	}
	if b := topics[2].Batch; b == nil || b.MaxMessages != 1 || b.MaxWait != time.Second {
		t.Errorf("payments: %+v", b)
	}
	if c.Runner.Pause.Initial != 2*time.Second || *c.Runner.Pause.Jitter != 1 {
		t.Errorf("an entry changed the top level: %+v", c.Runner.Pause)
	}
}

func TestRawPropertiesMergeByName(t *testing.T) {
	t.Parallel()
	c := load(t, minimal+"consumer: {fetch.min.bytes: 1, check.crcs: true}\n", config.Sources{
		Env:   []string{`PITLANE_CONSUMER={fetch.min.bytes: "2"}`},
		Flags: map[string][]string{"producer": {"linger.ms=20"}},
	})
	if want := map[string]string{"fetch.min.bytes": "2", "check.crcs": "true"}; !maps.Equal(c.Runner.Consumer, want) {
		t.Errorf("consumer %v", c.Runner.Consumer)
	}
	if c.Runner.Producer["linger.ms"] != "20" {
		t.Errorf("producer %v", c.Runner.Producer)
	}
	if got := origin(t, c, "consumer.fetch.min.bytes").Origin.String(); got != "env PITLANE_CONSUMER" {
		t.Errorf("origin %q", got)
	}
}

func TestTheProcessorsTimeLimitTakesThePlaceOfSlowAfter(t *testing.T) {
	t.Parallel()
	if c := load(t, minimal+"processor_timeout: 3s\n", config.Sources{}); c.Runner.SlowAfter != 3*time.Second {
		t.Errorf("slow after %v", c.Runner.SlowAfter)
	}
	both := minimal + "processor_timeout: 3s\nwatchdog: {slow_after: 1s}\n"
	if c := load(t, both, config.Sources{}); c.Runner.SlowAfter != time.Second {
		t.Errorf("slow after %v", c.Runner.SlowAfter)
	}
}

func TestZeroKeepsItsMeaning(t *testing.T) {
	t.Parallel()
	c := load(t, minimal+"processor_timeout: 0\npause: {jitter: 0, max_attempts: 0}\n", config.Sources{})
	if c.Runner.ProcessorTimeout != 0 || *c.Runner.Pause.Jitter != 0 || c.Runner.Pause.MaxAttempts != 0 {
		t.Errorf("got %+v", c.Runner)
	}
}

func TestDefaultsAreTheRunners(t *testing.T) {
	t.Parallel()
	c := load(t, minimal, config.Sources{})
	want := runner.Config{}.WithDefaults()
	if c.Runner.Delivery != want.Delivery || c.Runner.Rebalance != want.Rebalance || c.Runner.Shutdown != want.Shutdown {
		t.Errorf("got %+v, the runner has %+v", c.Runner, want)
	}
}
