package runner_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/runner"
)

func valid() runner.Config {
	return runner.Config{
		Brokers: []string{"localhost:9092"}, Group: "g", Topics: []runner.Topic{{Name: "in"}},
	}
}

func TestTheZeroValueOfEverySettingIsItsDefault(t *testing.T) {
	c := valid().WithDefaults()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	if c.SlowAfter != time.Minute || c.Delivery.Timeout != 2*time.Minute || *c.Pause.Jitter != 1 || c.Topics[0].Batch.MaxMessages != 500 {
		t.Errorf("defaults: %+v", c)
	}
}

func TestTheAttemptsTimeLimitTakesThePlaceOfSlowAfter(t *testing.T) {
	c := valid()
	c.ProcessorTimeout = 7 * time.Second
	if got := c.WithDefaults().SlowAfter; got != 7*time.Second {
		t.Errorf("slow after %v, want 7s", got)
	}
}

func TestATopicsOwnSettingsTakeThePlaceOfTheRunners(t *testing.T) {
	c := valid()
	c.Pause = runner.Pause{Initial: 3 * time.Second, MaxAttempts: 5}
	c.Topics = append(c.Topics, runner.Topic{Name: "own", Pause: &runner.Pause{MaxAttempts: 0}})
	c = c.WithDefaults().WithDefaults()
	if p := c.Topics[1].Pause; p.MaxAttempts != 0 || p.Initial != time.Second {
		t.Errorf("own topic: %+v, want for ever and the default", p)
	}
	if p := c.Topics[0].Pause; p.MaxAttempts != 5 {
		t.Errorf("other topic: %+v", p)
	}
}

func TestWhatIsWrongIsNamedAllAtOnce(t *testing.T) {
	for field, breakIt := range map[string]func(*runner.Config){
		"Brokers":                 func(c *runner.Config) { c.Brokers = nil },
		"Brokers:":                func(c *runner.Config) { c.Brokers = []string{"localhost"} },
		"Group":                   func(c *runner.Config) { c.Group = "" },
		"Topics":                  func(c *runner.Config) { c.Topics = nil },
		"Topics[1]":               func(c *runner.Config) { c.Topics = append(c.Topics, c.Topics[0]) },
		"Topics[0]":               func(c *runner.Config) { c.Topics[0].Name = "^(" },
		"Start":                   func(c *runner.Config) { c.Start = "middle" },
		"Members":                 func(c *runner.Config) { c.Members = -1 },
		"Concurrency":             func(c *runner.Config) { c.Concurrency = 50_001 },
		"Delivery.Timeout":        func(c *runner.Config) { c.Delivery.Timeout = 59 * time.Second },
		"Shutdown.Deadline":       func(c *runner.Config) { c.Shutdown = runner.Shutdown{Drain: 18 * time.Second} },
		"Rebalance.InstanceID":    func(c *runner.Config) { c.Rebalance = runner.Rebalance{Protocol: "consumer", InstanceID: "a"} },
		"Pause.Max":               func(c *runner.Config) { c.Pause.Initial = time.Hour },
		"Pause.Multiplier":        func(c *runner.Config) { c.Pause.Multiplier = 0.5 },
		"Consumer":                func(c *runner.Config) { c.Consumer = map[string]string{"enable.auto.offset.store": "true"} },
		"Producer":                func(c *runner.Config) { c.Producer = map[string]string{"enable.idempotence": "false"} },
		"Client":                  func(c *runner.Config) { c.Client = map[string]string{"metadata.recovery.strategy": "none"} },
		"Batch.MaxMessages":       func(c *runner.Config) { c.Batch.MaxMessages = -1 },
		"Delivery.MaxOutstanding": func(c *runner.Config) { c.Delivery.MaxOutstanding = -1 },
	} {
		c := valid()
		breakIt(&c)
		c = c.WithDefaults()
		err := c.Validate()
		if _, ok := errors.AsType[*runner.ConfigError](err); !ok {
			t.Errorf("%s: %v, want a ConfigError", field, err)
			continue
		}
		if !strings.Contains(err.Error(), field) {
			t.Errorf("%s: not named in %q", field, err)
		}
		if runner.ExitCode(err) != runner.ExitUsage {
			t.Errorf("%s: exit code %d", field, runner.ExitCode(err))
		}
	}
}

func TestExitCodesFollowWhatEndedTheRun(t *testing.T) {
	boom := errors.New("boom")
	unfinished := &runner.UnfinishedError{Cause: boom}
	for want, errs := range map[int][]error{
		runner.ExitOK:         {nil},
		runner.ExitFailed:     {&runner.StartError{Cause: boom}, &runner.StoppedError{Cause: boom}, errors.Join(&runner.StoppedError{Cause: boom}, unfinished), boom},
		runner.ExitUsage:      {&runner.ConfigError{Problems: []error{boom}}},
		runner.ExitUnfinished: {unfinished, fmt.Errorf("wrapped: %w", unfinished)},
		runner.ExitGaveUp:     {&runner.GaveUpError{Cause: boom}, errors.Join(&runner.GaveUpError{Cause: boom}, unfinished)},
	} {
		for _, err := range errs {
			if got := runner.ExitCode(err); got != want {
				t.Errorf("%v: exit code %d, want %d", err, got, want)
			}
		}
	}
}
