package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pitlane-go/pitlane/runner"
)

// topicLetters are what a topic's name may be made of.
const topicLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

// topicsCodec reads names, patterns that start with "^", and entries with
// settings of their own.
type topicsCodec struct{}

// topicSections are what an entry of topics may set for itself.
func topicSections() []string { return []string{"pause", "batch"} }

func topicsKey(path, doc string) Key {
	return Key{Path: path, Type: "list", Doc: doc, Repeatable: true, codec: topicsCodec{}}
}

func (topicsCodec) decode(c *Config, key string, n node, p *problems) {
	items, ok := listItems(key, n, p)
	if !ok {
		return
	}
	if len(items) == 0 {
		p.add(n.origin, key, "is empty", "name at least one topic, such as [orders]")
		return
	}
	before := len(p.list)
	var out []runner.Topic
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", key, i)
		t := decodeTopic(c, at, item, p)
		if t.Name == "" {
			continue
		}
		if slices.ContainsFunc(out, func(o runner.Topic) bool { return o.Name == t.Name }) {
			p.add(item.origin, at, fmt.Sprintf("%q is there twice", t.Name), "")
			continue
		}
		out = append(out, t)
	}
	if len(p.list) == before {
		c.Runner.Topics = out
	}
}

func decodeTopic(c *Config, at string, n node, p *problems) runner.Topic {
	switch {
	case n.shape == shapeTable:
		return decodeTopicEntry(c, at, n, p)
	case n.shape == shapeNull || !n.scalar():
		p.add(n.origin, at, "wants a topic name or an entry such as {name: orders}, not "+n.shape.String(), "")
		return runner.Topic{}
	}
	if wrong := checkTopic(n.text); wrong != "" {
		p.add(n.origin, at, fmt.Sprintf("%q %s", n.text, wrong), "")
		return runner.Topic{}
	}
	return runner.Topic{Name: n.text}
}

// decodeTopicEntry reads {name, pause, batch}. What the entry leaves away comes
// from the top level, so the sections are decoded over a copy of it.
func decodeTopicEntry(c *Config, at string, n node, p *problems) runner.Topic {
	own := *c
	if c.Runner.Pause.Jitter != nil {
		jitter := *c.Runner.Pause.Jitter
		own.Runner.Pause.Jitter = &jitter
	}
	var topic runner.Topic
	seen := map[string]Origin{}
	for _, e := range n.entries {
		if first, twice := seen[e.name]; twice {
			p.add(e.origin, at+"."+e.name, "is set twice, first at "+first.String(), "keep one")
			continue
		}
		seen[e.name] = e.origin
		switch e.name {
		case "name":
			topic.Name = decodeTopic(c, at+".name", e.value, p).Name
		case "pause":
			decodeTopicSection(&own, at, e, p)
			topic.Pause = &own.Runner.Pause
		case "batch":
			decodeTopicSection(&own, at, e, p)
			topic.Batch = &own.Runner.Batch
		default:
			remedy := "an entry has name, " + strings.Join(topicSections(), " and ")
			if near := Nearest(e.name, append(topicSections(), "name")); near != "" {
				remedy = didYouMean(near)
			}
			p.add(e.origin, at+"."+e.name, "is not a setting of a topic", remedy)
		}
	}
	if _, named := seen["name"]; !named {
		p.add(n.origin, at, "has no name", "write {name: orders}")
	}
	if topic.Pause != nil {
		checkPause(*topic.Pause, at, seen["pause"], p)
	}
	return topic
}

func decodeTopicSection(own *Config, at string, e entry, p *problems) {
	if e.value.shape == shapeNull {
		return
	}
	var keys []Key
	for _, k := range Keys() {
		if k.Section() == e.name {
			keys = append(keys, k)
		}
	}
	found := newFinder(keys, p)
	found.table(e.value, e.name, at+".")
	for _, k := range keys {
		for _, s := range found.settings[k.Path] {
			k.codec.decode(own, at+"."+k.Path, s, p)
		}
	}
}

// checkTopic says what is wrong with a topic's name or pattern. The rule is the
// broker's (org.apache.kafka.common.internals.Topic); a pattern is matched by
// the client with POSIX extended syntax, which is close enough to Go's for
// finding one that cannot be meant.
func checkTopic(name string) string {
	if pattern, is := strings.CutPrefix(name, "^"); is {
		if pattern == "" {
			return "is a pattern that matches every topic, internal ones too"
		}
		if _, err := regexp.Compile(name); err != nil {
			return "is not a regular expression: " + err.Error()
		}
		return ""
	}
	switch {
	case name == "":
		return "is not a topic name: it is empty"
	case name == "." || name == "..":
		return "is not a topic name"
	case len(name) > 249:
		return "is not a topic name: it is longer than 249 characters"
	}
	for _, r := range name {
		if !strings.ContainsRune(topicLetters, r) {
			return "is not a topic name: letters, digits, dot, underscore and dash are allowed; a pattern starts with ^"
		}
	}
	return ""
}

func (topicsCodec) show(c *Config) any {
	out := []any{}
	for _, t := range c.Runner.Topics {
		if t.Pause == nil && t.Batch == nil {
			out = append(out, t.Name)
			continue
		}
		own := *c
		entry := map[string]any{"name": t.Name}
		if t.Pause != nil {
			own.Runner.Pause = *t.Pause
			entry["pause"] = showSection(&own, "pause")
		}
		if t.Batch != nil {
			own.Runner.Batch = *t.Batch
			entry["batch"] = showSection(&own, "batch")
		}
		out = append(out, entry)
	}
	return out
}

func showSection(c *Config, section string) map[string]any {
	out := map[string]any{}
	for _, k := range Keys() {
		if k.Section() == section {
			_, name, _ := cutLast(k.Path)
			out[name] = k.codec.show(c)
		}
	}
	return out
}
