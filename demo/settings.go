package demo

import (
	"errors"
	"fmt"
	"time"

	"github.com/pitlane-go/pitlane/examples/earthquakes/quake"
)

const (
	inputTopic = "earthquakes"
	alertTopic = quake.TopicDefault
	group      = "demo"
	member     = "demo"
)

// Config says how the demo runs. The zero value of a field means its default.
type Config struct {
	// For is how long earthquakes are streamed. Default 30 s, at least 1 s.
	For time.Duration
	// Rate is how many per second. Default 300, at most 5,000.
	Rate int
	// Partitions of the input topic. Default 6, at most 30.
	Partitions int
	// FailureShare is the share of runs that fail. Default 0.02; negative means
	// none; at most 0.5.
	FailureShare float64
}

func (c Config) withDefaults() Config {
	if c.For == 0 {
		c.For = 30 * time.Second
	}
	if c.Rate == 0 {
		c.Rate = 300
	}
	if c.Partitions == 0 {
		c.Partitions = 6
	}
	switch {
	case c.FailureShare == 0:
		c.FailureShare = 0.02
	case c.FailureShare < 0:
		c.FailureShare = 0
	}
	return c
}

// zeros reads the zeros of flags, which are meant as they are: a share of 0 is
// none, and nothing else can be 0.
func (c *Config) zeros() error {
	var errs []error
	if c.For == 0 {
		errs = append(errs, errors.New("--for: 0s is too short, at least 1s"))
	}
	if c.Rate == 0 {
		errs = append(errs, errors.New("--rate: 0 is not in 1 to 5000"))
	}
	if c.Partitions == 0 {
		errs = append(errs, errors.New("--partitions: 0 is not in 1 to 30"))
	}
	if c.FailureShare < 0 {
		errs = append(errs, fmt.Errorf("--failures: %v is not in 0 to 0.5", c.FailureShare))
	}
	if c.FailureShare == 0 {
		c.FailureShare = -1
	}
	return errors.Join(errs...)
}

func (c Config) validate() error {
	var errs []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	check(c.For >= time.Second, "--for: %v is too short, at least 1s", c.For)
	check(c.Rate >= 1 && c.Rate <= 5000, "--rate: %d is not in 1 to 5000", c.Rate)
	check(c.Partitions >= 1 && c.Partitions <= 30, "--partitions: %d is not in 1 to 30", c.Partitions)
	check(c.FailureShare <= 0.5, "--failures: %v is more than 0.5", c.FailureShare)
	return errors.Join(errs...)
}
