package embedded

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
)

// Defaults of Config.
const (
	BrokersDefault           = 1
	HeartbeatDefault         = 500 * time.Millisecond
	SessionTimeoutDefault    = 10 * time.Second
	MinSessionTimeoutDefault = time.Second
)

// Config says what to start. The zero value is one broker on a free port, without
// topics.
type Config struct {
	// Brokers is the number of brokers, by default 1.
	Brokers int
	// Port is the port of the first broker on 127.0.0.1; the others follow.
	// 0 takes free ports.
	Port int
	// Topics are created at the start: name to number of partitions.
	Topics map[string]int
	// AutoCreate lets clients create topics by asking for them.
	AutoCreate bool
	// Heartbeat and SessionTimeout are what the broker tells members of KIP-848
	// groups; by default 500ms and 10s, which is quicker than Kafka.
	Heartbeat      time.Duration
	SessionTimeout time.Duration
	// MinSessionTimeout is the shortest session timeout of a classic member, by
	// default 1s (6s in Kafka).
	MinSessionTimeout time.Duration
	// Properties are broker properties; they win over all others.
	Properties map[string]string
}

func (c Config) withDefaults() Config {
	if c.Brokers == 0 {
		c.Brokers = BrokersDefault
	}
	if c.Heartbeat == 0 {
		c.Heartbeat = HeartbeatDefault
	}
	if c.SessionTimeout == 0 {
		c.SessionTimeout = SessionTimeoutDefault
	}
	if c.MinSessionTimeout == 0 {
		c.MinSessionTimeout = MinSessionTimeoutDefault
	}
	return c
}

func (c Config) validate() error {
	var errs []error
	if c.Brokers < 0 {
		errs = append(errs, fmt.Errorf("brokers: %d is negative", c.Brokers))
	}
	if c.Port < 0 || c.Port+c.Brokers > 1<<16 {
		errs = append(errs, fmt.Errorf("port: %d for %d brokers is out of range", c.Port, c.Brokers))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Topics)) {
		if n := c.Topics[name]; n < 1 || n > 1<<15 {
			errs = append(errs, fmt.Errorf("topics: %s has %d partitions", name, n))
		}
	}
	return errors.Join(errs...)
}

// properties returns the broker properties. Data never expires by default: test
// data often has old timestamps.
func (c Config) properties() map[string]string {
	p := map[string]string{
		"log.retention.ms":                     "-1",
		"log.retention.bytes":                  "-1",
		"group.consumer.heartbeat.interval.ms": fmt.Sprint(c.Heartbeat.Milliseconds()),
		"group.consumer.session.timeout.ms":    fmt.Sprint(c.SessionTimeout.Milliseconds()),
	}
	maps.Copy(p, c.Properties)
	return p
}

func (c Config) options() []kfake.Opt {
	opts := []kfake.Opt{
		kfake.NumBrokers(c.Brokers),
		kfake.BrokerConfigs(c.properties()),
		kfake.GroupMinSessionTimeout(c.MinSessionTimeout),
		kfake.ClusterID("pitlane-embedded"),
	}
	if c.Port > 0 {
		ports := make([]int, c.Brokers)
		for i := range ports {
			ports[i] = c.Port + i
		}
		opts = append(opts, kfake.Ports(ports...))
	}
	if c.AutoCreate {
		opts = append(opts, kfake.AllowAutoTopicCreation())
	}
	for name, n := range c.Topics {
		opts = append(opts, kfake.SeedTopics(int32(n), name))
	}
	return opts
}
