package admin

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// TimeoutDefault bounds a call when the caller's context does not.
const TimeoutDefault = 10 * time.Second

// Config makes a Client. The zero value of a field means its default.
type Config struct {
	// Properties are librdkafka properties: bootstrap.servers (required) and what
	// security needs. They go over the defaults of this room, except statistics
	// and the binding's channels, which the room sets itself.
	Properties map[string]string
	// Timeout bounds every call, together with its context. Default 10 s.
	Timeout time.Duration
}

func (c Config) withDefaults() Config {
	if c.Timeout == 0 {
		c.Timeout = TimeoutDefault
	}
	return c
}

func (c Config) validate() error {
	var problems []error
	if c.Timeout < 0 {
		problems = append(problems, fmt.Errorf("timeout: %v is negative", c.Timeout))
	}
	if c.Properties["bootstrap.servers"] == "" && c.Properties["metadata.broker.list"] == "" {
		problems = append(problems, errors.New("properties: bootstrap.servers is missing"))
	}
	for name := range c.Properties {
		if strings.HasPrefix(name, "go.") {
			problems = append(problems, fmt.Errorf("properties: %s is set by the runner", name))
		}
	}
	return errors.Join(problems...)
}

// Properties returns the librdkafka properties that a Client made from cfg has.
func Properties(cfg Config) map[string]string {
	properties := map[string]string{
		"socket.timeout.ms":                  "10000",
		"socket.connection.setup.timeout.ms": "5000",
		"socket.keepalive.enable":            "true",
		"reconnect.backoff.max.ms":           "2000",
		"metadata.recovery.strategy":         "rebootstrap",
		"enable.metrics.push":                "false",
		// What librdkafka would write to standard error is in the errors of the calls.
		"log_level": "2",
	}
	maps.Copy(properties, cfg.Properties)
	properties["statistics.interval.ms"] = "0" // nobody reads them
	return properties
}

func configMap(cfg Config) *kafka.ConfigMap {
	conf := kafka.ConfigMap{
		"go.events.channel.size":  100, // errors only, and they are drained
		"go.produce.channel.size": 1,   // never used
	}
	for name, value := range Properties(cfg) {
		conf[name] = value
	}
	return &conf
}
