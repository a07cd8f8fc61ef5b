package config

import (
	"maps"
	"slices"
	"strings"
)

// Try has raw client properties tried: it makes a client of them, without
// brokers, and says why the client refuses them.
type Try func(properties map[string]string) error

// TryProperties finds the raw properties that the client itself refuses: names
// that it does not know, values that it cannot read, files that it cannot use.
// It is no part of Load, which makes no clients. What it finds is an *Error.
func (c *Config) TryProperties(try Try) error {
	var p problems
	shared := tried(c.Runner.Client)
	for _, s := range []struct {
		role Role
		own  map[string]string
	}{
		{RoleClient, c.Runner.Client},
		{RoleConsumer, c.Runner.Consumer},
		{RoleProducer, c.Runner.Producer},
	} {
		own := tried(s.own)
		if len(own) == 0 {
			continue
		}
		all := maps.Clone(shared)
		maps.Copy(all, own)
		if err := try(all); err != nil {
			c.blame(s.role, own, err, try, &p)
		}
		if s.role == RoleClient && len(p.list) > 0 {
			// It would be found again in the other roles.
			shared = map[string]string{}
		}
	}
	return p.err()
}

// blame looks for the properties that are refused also when they are alone.
func (c *Config) blame(role Role, own map[string]string, cause error, try Try, p *problems) {
	found := false
	for _, name := range slices.Sorted(maps.Keys(own)) {
		at, written := c.origins[string(role)+"."+name]
		if !written || name == "security.protocol" { // which means nothing alone
			continue
		}
		if err := try(map[string]string{name: own[name]}); err != nil {
			reason := ": " + err.Error()
			if secret(name) && strings.Contains(reason, own[name]) {
				reason = ""
			}
			p.add(at, string(role)+"."+name, "the client refuses it"+reason, "")
			found = true
		}
	}
	if found {
		return
	}
	at, key := c.origins[string(role)], string(role)
	if role == RoleClient && at == (Origin{}) {
		at, key = c.later("tls.ca", "sasl.mechanism"), "tls, sasl"
	}
	p.add(at, key, "the client refuses these settings together: "+cause.Error(), "")
}

// tried leaves away what would make the trial itself noisy.
func tried(properties map[string]string) map[string]string {
	out := map[string]string{}
	for name, value := range properties {
		if name != "debug" && name != "log_level" {
			out[name] = value
		}
	}
	return out
}
