package cluster

import (
	"errors"
	"fmt"
	"maps"
	"time"
)

// Defaults and limits of Config.
const (
	BrokersDefault      = 1
	StartTimeoutDefault = 90 * time.Second
	ExtraListenersMax   = 9
	HeapDefault         = 512 << 20
	HeapMin             = 128 << 20
)

// Config says what to start. The zero value is one broker without worlds.
type Config struct {
	// Brokers is 1 or 3. Three brokers mean replication factor 3 and two in-sync
	// replicas for new topics. Zero: 1.
	Brokers int

	// ExtraListeners is the number of worlds: further listeners per broker whose
	// advertised port is another one, for a proxy. At most 9.
	ExtraListeners int

	// Properties are added to every broker's server.properties and win over what
	// this package writes. The listeners, node ids and directories are refused.
	Properties map[string]string

	// StartTimeout bounds the start and the restart of brokers, without the time to
	// fetch the jars. Zero: 90 s.
	StartTimeout time.Duration

	// HeapBytes is the largest Java heap of one broker. Zero: 512 MiB; at least 128
	// MiB.
	HeapBytes int64
}

func (c Config) withDefaults() Config {
	if c.Brokers == 0 {
		c.Brokers = BrokersDefault
	}
	if c.StartTimeout == 0 {
		c.StartTimeout = StartTimeoutDefault
	}
	if c.HeapBytes == 0 {
		c.HeapBytes = HeapDefault
	}
	c.Properties = maps.Clone(c.Properties)
	return c
}

func (c Config) validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrConfig}, args...)...))
	}
	if c.Brokers != 1 && c.Brokers != 3 {
		bad("Brokers: %d is neither 1 nor 3", c.Brokers)
	}
	if c.ExtraListeners < 0 || c.ExtraListeners > ExtraListenersMax {
		bad("ExtraListeners: %d is not between 0 and %d", c.ExtraListeners, ExtraListenersMax)
	}
	if c.StartTimeout < 0 {
		bad("StartTimeout: %v is negative", c.StartTimeout)
	}
	if c.HeapBytes < HeapMin {
		bad("HeapBytes: %d is below %d", c.HeapBytes, int64(HeapMin))
	}
	for _, name := range ownProperties() {
		if _, ok := c.Properties[name]; ok {
			bad("Properties: %s is set by the cluster itself", name)
		}
	}
	return errors.Join(errs...)
}
