package proxy

import "fmt"

// Config says where a proxy stands.
type Config struct {
	// Listen is where clients connect. Empty: a free port of the loopback interface,
	// which is fit for tests without Refuse and DropSYN only.
	Listen string

	// Upstream is the broker's address.
	Upstream string

	// Broker is the broker's id, for hooks that serve several proxies.
	Broker int

	// Raw turns the hook off: bytes are passed on without a look at them.
	Raw bool
}

func (c Config) withDefaults() Config {
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	return c
}

func (c Config) validate() error {
	if c.Upstream == "" {
		return fmt.Errorf("%w: Upstream: no address", ErrConfig)
	}
	return nil
}

// SetConfig says where the proxies of a cluster stand. Index i belongs to broker
// i+1.
type SetConfig struct {
	Listen   []string // the advertised addresses
	Upstream []string // where the brokers listen
}

func (c SetConfig) validate() error {
	if len(c.Listen) == 0 || len(c.Listen) != len(c.Upstream) {
		return fmt.Errorf("%w: Listen, Upstream: %d and %d addresses", ErrConfig, len(c.Listen), len(c.Upstream))
	}
	return nil
}
