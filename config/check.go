package config

import (
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/pitlane-go/pitlane/runner"
)

// shutdownRest is what a stop needs after the drain: deliveries, the last
// commit, and closing the clients.
const shutdownRest = 8 * time.Second

// splitAddress splits host:port.
func splitAddress(s string) (host, port string, ok bool) {
	host, port, err := net.SplitHostPort(s)
	return host, port, err == nil
}

// checkTogether reports what only several keys say together.
func checkTogether(c *Config, p *problems) {
	checkPause(c.Runner.Pause, "", c.later("pause.max", "pause.initial"), p)
	d := c.Runner.Delivery
	if d.LateAfter >= d.Timeout {
		p.add(c.later("delivery.late_after", "delivery.timeout"), "delivery.late_after",
			fmt.Sprintf("%s is not below delivery.timeout, %s", formatDuration(d.LateAfter), formatDuration(d.Timeout)), "")
	}
	s := c.Runner.Shutdown
	if s.Drain > s.Deadline-shutdownRest {
		p.add(c.later("shutdown.drain", "shutdown.deadline"), "shutdown.drain",
			fmt.Sprintf("%s is less than %s below shutdown.deadline, %s", formatDuration(s.Drain), formatDuration(shutdownRest), formatDuration(s.Deadline)),
			fmt.Sprintf("write at most %s, or a later deadline", formatDuration(max(0, s.Deadline-shutdownRest))))
	}
	r := c.Runner.Rebalance
	if r.InstanceID != "" && r.Protocol == runner.ProtocolConsumer {
		p.add(c.origins["rebalance.instance_id"], "rebalance.instance_id",
			"is not possible with rebalance.protocol: consumer (a restarted member would be refused for good)", "leave it away, or use the classic protocol")
	}
}

// checkRunner asks the runner itself, which has the last word. Its rules are
// checked above with the place of each value, so that it finds nothing unless a
// rule is its own.
func checkRunner(c runner.Config, p *problems) {
	err := c.WithDefaults().Validate()
	if err == nil {
		return
	}
	p.add(Origin{}, "", err.Error(), "")
}

// checkPause compares the two ceilings; topic entries have them too, at before.
func checkPause(pause runner.Pause, before string, at Origin, p *problems) {
	if pause.Initial <= pause.Max {
		return
	}
	key := "pause.max"
	if before != "" {
		key = before + "." + key
	}
	p.add(at, key, fmt.Sprintf("%s is below pause.initial, %s", formatDuration(pause.Max), formatDuration(pause.Initial)), "raise it to at least that")
}

// later gives the origin of the two that overrides more: the one that the user
// touched.
func (c *Config) later(a, b string) Origin {
	first, second := c.origins[a], c.origins[b]
	if second.compare(first) > 0 && first.Source == SourceDefault {
		return second
	}
	return first
}

func hasProblem(p *problems, key string) bool {
	for _, q := range p.list {
		if q.Key == key {
			return true
		}
	}
	return false
}

// required reports keys that have no default and were not set: not those that
// somebody tried to set, which have a problem of their own.
func (l *loader) required(file string) {
	if l.unread {
		return
	}
	c := l.config
	missing := map[string]bool{
		"brokers": len(c.Runner.Brokers) == 0, "group": c.Runner.Group == "", "topics": len(c.Runner.Topics) == 0,
	}
	for _, key := range []string{"brokers", "group", "topics"} {
		if !missing[key] || l.attempted(key) {
			continue
		}
		at := Origin{}
		if file != "" {
			at = Origin{Source: SourceFile, Name: file}
		}
		k := lookup(key)
		l.problems.add(at, key, "is not set", fmt.Sprintf("set it in the file, with --%s or with %s", k.Flag(), k.Env()))
	}
}

// attempted tells whether a problem is about this key or names it as what was
// meant.
func (l *loader) attempted(key string) bool {
	for _, q := range l.problems.list {
		if q.Key == key || strings.HasPrefix(q.Key, key+"[") || q.Remedy == didYouMean(key) || q.Remedy == didYouMean(lookup(key).Env()) {
			return true
		}
	}
	return false
}

func lookup(path string) Key {
	for _, k := range Keys() {
		if k.Path == path {
			return k
		}
	}
	panic("config: no key " + path)
}
