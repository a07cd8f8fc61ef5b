package runner

import (
	"fmt"
	"maps"
	"net"
	"regexp"
	"slices"
	"time"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/delivery"
)

// Limits of the settings.
const (
	deliveryTimeoutMin = time.Minute
	shutdownGapMin     = 8 * time.Second
	membersMax         = 64
	concurrencyMax     = 50_000
)

// Validate checks a Config that has its defaults. The error is a *ConfigError
// with every problem.
func (c Config) Validate() error {
	var v problems
	v.check(len(c.Brokers) > 0, "Brokers: at least one host:port is needed")
	for _, b := range c.Brokers {
		if _, _, err := net.SplitHostPort(b); err != nil {
			v.addf("Brokers: %q is not host:port", b)
		}
	}
	v.check(c.Group != "", "Group: a consumer group is needed")
	c.validateTopics(&v)
	v.oneOf("Start", string(c.Start), string(StartEarliest), string(StartLatest), string(StartNone))
	v.between("Members", c.Members, 1, membersMax)
	v.between("Concurrency", c.Concurrency, 1, concurrencyMax)
	v.check(c.ProcessorTimeout >= 0, "ProcessorTimeout: must not be negative")
	c.Batch.validate(&v, "Batch")
	c.Pause.validate(&v, "Pause")
	v.check(c.BufferMaxBytes >= 1<<20, "BufferMaxBytes: %d is less than 1 MiB", c.BufferMaxBytes)
	v.check(c.Delivery.Timeout >= deliveryTimeoutMin,
		"Delivery.Timeout: %v is less than %v; a shorter one than an outage makes duplicates of acknowledged records", c.Delivery.Timeout, deliveryTimeoutMin)
	v.positive("Delivery.LateAfter", c.Delivery.LateAfter)
	v.between("Delivery.MaxOutstanding", c.Delivery.MaxOutstanding, 1, 1_000_000)
	v.positive("CommitInterval", c.CommitInterval)
	c.validateRebalance(&v)
	v.positive("SlowAfter", c.SlowAfter)
	v.positive("StartTimeout", c.StartTimeout)
	v.positive("FailureGrace", c.FailureGrace)
	v.positive("Shutdown.Drain", c.Shutdown.Drain)
	v.check(c.Shutdown.Deadline-c.Shutdown.Drain >= shutdownGapMin,
		"Shutdown.Deadline: %v must be at least %v above Shutdown.Drain (%v): committing and closing need that time",
		c.Shutdown.Deadline, shutdownGapMin, c.Shutdown.Drain)
	v.oneOf("Isolation", string(c.Isolation), string(ReadCommitted), string(ReadUncommitted))
	v.oneOf("Feed", string(c.Feed), string(FeedAuto), string(FeedQueue), string(FeedPoll))
	c.validateProperties(&v)
	if len(v.list) == 0 {
		return nil
	}
	return &ConfigError{v.list}
}

func (c Config) validateTopics(v *problems) {
	v.check(len(c.Topics) > 0, "Topics: at least one topic is needed")
	var seen []string
	for i, t := range c.Topics {
		field := fmt.Sprintf("Topics[%d]", i)
		v.check(t.Name != "", "%s: the name is empty", field)
		v.check(!slices.Contains(seen, t.Name), "%s: %q stands twice", field, t.Name)
		seen = append(seen, t.Name)
		if t.IsPattern() {
			if _, err := regexp.Compile(t.Name); err != nil {
				v.addf("%s: %w", field, err)
			}
		}
		t.Pause.validate(v, field+".Pause")
		t.Batch.validate(v, field+".Batch")
	}
}

func (c Config) validateRebalance(v *problems) {
	r := c.Rebalance
	v.oneOf("Rebalance.Protocol", string(r.Protocol), string(ProtocolClassic), string(ProtocolConsumer))
	v.oneOf("Rebalance.Assignor", r.Assignor, "cooperative-sticky", "range", "roundrobin")
	v.positive("Rebalance.Drain", r.Drain)
	v.check(r.SessionTimeout >= time.Second, "Rebalance.SessionTimeout: %v is less than 1s", r.SessionTimeout)
	v.check(r.InstanceID == "" || r.Protocol == ProtocolClassic,
		"Rebalance.InstanceID: static membership works with the classic protocol only: with protocol consumer a restart is refused and never joins")
}

func (b Batch) validate(v *problems, field string) {
	v.between(field+".MaxMessages", b.MaxMessages, 1, 1_000_000)
	v.positive(field+".MaxWait", b.MaxWait)
	v.check(b.MaxBytes >= 1, "%s.MaxBytes: %d is less than 1", field, b.MaxBytes)
}

func (p Pause) validate(v *problems, field string) {
	v.positive(field+".Initial", p.Initial)
	v.check(p.Max >= p.Initial, "%s.Max: %v is less than Initial (%v)", field, p.Max, p.Initial)
	v.check(p.Multiplier >= 1, "%s.Multiplier: %v is less than 1", field, p.Multiplier)
	v.check(*p.Jitter >= 0 && *p.Jitter <= 1, "%s.Jitter: %v is not between 0 and 1", field, *p.Jitter)
	v.check(p.MaxAttempts >= 0, "%s.MaxAttempts: must not be negative", field)
	v.oneOf(field+".OnExhausted", string(p.OnExhausted), string(ExhaustedPause), string(ExhaustedSkip), string(ExhaustedStop))
}

// problems gathers what is wrong.
type problems struct{ list []error }

func (v *problems) addf(format string, args ...any) {
	v.list = append(v.list, fmt.Errorf(format, args...))
}

func (v *problems) check(ok bool, format string, args ...any) {
	if !ok {
		v.addf(format, args...)
	}
}

func (v *problems) positive(field string, d time.Duration) {
	v.check(d > 0, "%s: %v is not above 0", field, d)
}

func (v *problems) between(field string, n, low, high int) {
	v.check(n >= low && n <= high, "%s: %d is not between %d and %d", field, n, low, high)
}

func (v *problems) oneOf(field, value string, valid ...string) {
	v.check(slices.Contains(valid, value), "%s: %q is none of %q", field, value, valid)
}

// validateProperties checks the raw properties with the rooms that own the
// clients.
func (c Config) validateProperties(v *problems) {
	check := func(field string, props map[string]string, rooms ...func(name, value string) error) {
		for _, name := range slices.Sorted(maps.Keys(props)) {
			for _, room := range rooms {
				if err := room(name, props[name]); err != nil {
					v.addf("%s: %w", field, err)
					break
				}
			}
		}
	}
	check("Client", c.Client, consumerset.CheckProperty, delivery.CheckProperty)
	check("Consumer", c.Consumer, consumerset.CheckProperty)
	check("Producer", c.Producer, delivery.CheckProperty)
}
