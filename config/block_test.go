package config_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/config"
)

type store struct {
	URL     string        `yaml:"url"`
	Workers int           `yaml:"workers"`
	Timeout time.Duration `yaml:"timeout"`
	Retry   struct {
		Limit int `yaml:"limit"`
	} `yaml:"retry"`
}

var errNoURL = errors.New("url is not set")

func (s *store) Validate() error {
	if s.URL == "" {
		return errNoURL
	}
	return nil
}

func TestAProcessorsBlockIsDecodedStrictly(t *testing.T) {
	t.Parallel()
	c := load(t, minimal+"processor:\n  url: here\n  retry: {limit: 3}\n", config.Sources{})
	got := store{Timeout: time.Second}
	if err := c.Processor.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.URL != "here" || got.Retry.Limit != 3 || got.Timeout != time.Second {
		t.Errorf("got %+v", got)
	}
}

func TestAProcessorsBlockNamesItsMistakesWithTheirPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"processor:\n  ulr: here\n":                    "pitlane.yaml:5:3: processor.ulr: is not a key; did you mean url?",
		"processor:\n  retry: {max: 3}\n":              "pitlane.yaml:5:11: processor.max: is not a key; the keys are limit, retry, timeout, url, workers",
		"processor:\n  timeout: soon\n":                "pitlane.yaml:5:12: processor.timeout: time: invalid duration",
		"processor:\n  workers: 1.5\n":                 "pitlane.yaml:5:12: processor.workers: cannot be 1.5; it wants a whole number",
		"processor:\n  timeout: 5\n":                   "pitlane.yaml:5:12: processor.timeout: wants a duration such as 250ms or 1m30s, not a number",
		"processor:\n  url: [here]\n":                  "processor.url: wants text, not a list",
		"processor:\n  retry: 3\n":                     "processor.retry: wants a section, not a number",
		"processor:\n  url: here\n  retry: {limit: x}": "pitlane.yaml:6:18: processor.retry: wants a whole number",
		"processor: {}\n":                              "processor: url is not set",
		"processor: here\n":                            "pitlane.yaml:4:12: processor: wants keys with values, not text; the keys are limit, retry, timeout, url, workers",
	} {
		err := load(t, minimal+text, config.Sources{}).Processor.Decode(&store{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gave %v, not %s", text, err, want)
		}
	}
}

func TestAProcessorIsChosenByItsName(t *testing.T) {
	t.Parallel()
	names := []string{"forward", "log"}
	for text, want := range map[string]string{
		"processor: {forward: {url: here}}\n": "forward",
		"processor: log\n":                    "log",
		"processor: {log: {}}\n":              "log",
		"processor:\n  log:\n":                "log",
	} {
		name, block, err := load(t, minimal+text, config.Sources{}).Processor.Choice(names)
		if err != nil || name != want {
			t.Errorf("%q gave %q, %v", text, name, err)
		}
		if name == "forward" {
			var got store
			if err := block.Decode(&got); err != nil || got.URL != "here" {
				t.Errorf("got %+v, %v", got, err)
			}
		}
	}
	for text, want := range map[string]string{
		"":                                  "processor: is not set; it wants one of forward, log, such as {forward: {}}",
		"processor: {forwrd: {topic: a}}\n": `pitlane.yaml:4:13: processor: "forwrd" is not a processor of this program; did you mean forward?`,
		"processor: [log]\n":                "wants a section or the name of a processor, not a list",
		"processor: 5\n":                    `"5" is not a processor of this program; it wants one of forward, log`,
		"processor: {log: {}, forward: {}}": "pitlane.yaml:4:22: processor: names two processors, log and forward; keep one",
	} {
		c, err := config.Load(config.Sources{File: write(t, "pitlane.yaml", minimal+text)})
		if err == nil {
			_, _, err = c.Processor.Choice(names)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gave %v, not %s", text, err, want)
		}
	}
}
