package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Role is whose raw client properties a section holds.
type Role string

// The roles, which are also the keys of their sections.
const (
	RoleClient   Role = "client"
	RoleConsumer Role = "consumer"
	RoleProducer Role = "producer"
)

// Redacted stands where a secret would.
const Redacted = "(redacted)"

// Redact gives a property's value as it may be shown: that of a secret is
// replaced. Names that end in "location" or "url" say where something is, and are
// shown.
func Redact(name, value string) string {
	if value != "" && secret(name) {
		return Redacted
	}
	return value
}

func secret(name string) bool {
	name = strings.ToLower(name)
	if strings.HasSuffix(name, "location") || strings.HasSuffix(name, "url") {
		return false
	}
	for _, word := range []string{"password", "secret", "key", "token", "jaas", "sasl.oauthbearer.config", "passphrase"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// propertiesCodec reads the raw properties of one role.
type propertiesCodec struct {
	role Role
	at   func(*Config) *map[string]string
}

func propertiesKey(role Role, at func(*Config) *map[string]string, doc string) Key {
	return Key{Path: string(role), Type: "section", Doc: doc, Repeatable: true, codec: propertiesCodec{role, at}}
}

func (r propertiesCodec) show(c *Config) any {
	out := map[string]any{}
	for name, value := range *r.at(c) {
		out[name] = Redact(name, value)
	}
	return out
}

// values gives one Value per property that was written by the user; what tls
// and sasl add is shown there.
func (r propertiesCodec) values(c *Config, path string) []Value {
	var out []Value
	properties := *r.at(c)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		at, written := c.origins[path+"."+name]
		if !written {
			continue
		}
		out = append(out, Value{Key: path + "." + name, Value: Redact(name, properties[name]), Origin: at})
	}
	if len(out) == 0 {
		out = append(out, Value{Key: path, Value: map[string]any{}})
	}
	return out
}

func (r propertiesCodec) decode(c *Config, key string, n node, p *problems) {
	var entries []entry
	switch n.shape {
	case shapeNull:
	case shapeTable:
		entries = n.entries
	case shapeBare:
		entries = pairs(key, n, p)
	default:
		p.add(n.origin, key, "wants properties such as {socket.timeout.ms: 20000}, not "+n.shape.String(), "")
	}
	seen := map[string]Origin{}
	for _, e := range entries {
		path := key + "." + e.name
		first, twice := seen[e.name]
		switch {
		case twice:
			p.add(e.origin, path, "is set twice, first at "+first.String(), "keep one")
		case e.value.shape == shapeNull:
			p.add(e.origin, path, "has no value", "write it in quotes if it is empty: \"\"")
		case !e.value.scalar():
			p.add(e.value.origin, path, "wants one value, not "+e.value.shape.String(), "a property's name has dots: {socket.timeout.ms: 20000}")
		default:
			r.property(c, e, p)
		}
		seen[e.name] = e.origin
	}
}

func (r propertiesCodec) property(c *Config, e entry, p *problems) {
	path := string(r.role) + "." + e.name
	if err := checkProperty(r.role, e.name, e.value.text); err != nil {
		p.add(e.origin, path, err.Error(), "")
		return
	}
	properties := r.at(c)
	if *properties == nil {
		*properties = map[string]string{}
	}
	(*properties)[e.name] = e.value.text
	c.origins[path] = e.value.origin
}

// pairs reads "name=value,name=value". A value that has a comma of its own is
// written as YAML: {name: "a,b"}.
func pairs(key string, n node, p *problems) []entry {
	var out []entry
	hidden := false // what follows may be the rest of a secret with a comma
	for part := range strings.SplitSeq(n.text, ",") {
		name, value, found := strings.Cut(strings.TrimSpace(part), "=")
		switch {
		case found && name != "":
		case hidden:
			p.add(n.origin, key, "what follows a comma in a secret is not a property", "write a value with a comma as YAML: {name: \"a,b\"}")
			continue
		default:
			p.add(n.origin, key, fmt.Sprintf("%q is not a property", part), "write name=value")
			continue
		}
		hidden = hidden || secret(name)
		out = append(out, entry{
			name: name, origin: n.origin,
			value: node{shape: shapeBare, text: value, origin: n.origin},
		})
	}
	return out
}
