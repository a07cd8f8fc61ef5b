package config

import (
	"fmt"
	"strings"
)

// listCodec is the codec of a list of words.
type listCodec struct {
	at    func(*Config) *[]string
	check func(string) string
}

func listKey(path string, at func(*Config) *[]string, check func(string) string, doc string) Key {
	return Key{Path: path, Type: "list", Doc: doc, Repeatable: true, codec: listCodec{at: at, check: check}}
}

func (l listCodec) show(c *Config) any {
	out := []any{}
	for _, s := range *l.at(c) {
		out = append(out, s)
	}
	return out
}

func (l listCodec) decode(c *Config, key string, n node, p *problems) {
	items, ok := listItems(key, n, p)
	if !ok {
		return
	}
	before := len(p.list)
	var out []string
	for i, item := range items {
		if item.shape == shapeNull || !item.scalar() {
			p.add(item.origin, fmt.Sprintf("%s[%d]", key, i), "wants text, not "+item.shape.String(), "")
			continue
		}
		if wrong := l.check(item.text); wrong != "" {
			message, remedy, _ := strings.Cut(wrong, "; ")
			p.add(item.origin, key, fmt.Sprintf("%q %s", item.text, message), remedy)
			continue
		}
		out = append(out, item.text)
	}
	if len(p.list) == before {
		*l.at(c) = out
	}
}

// listItems gives the items of a list. A single word is a list of one, and text
// from the environment or a flag is split at its commas.
func listItems(key string, n node, p *problems) ([]node, bool) {
	switch n.shape {
	case shapeList:
		return n.items, true
	case shapeBare:
		var items []node
		for part := range strings.SplitSeq(n.text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				items = append(items, node{shape: shapeBare, text: part, origin: n.origin})
			}
		}
		if len(items) == 0 {
			p.add(n.origin, key, "is empty", "write names with commas between them")
			return nil, false
		}
		return items, true
	case shapeText:
		return []node{n}, true
	case shapeNull:
		p.add(n.origin, key, "has no value", "it wants a list such as [a, b]")
	default:
		p.add(n.origin, key, "wants a list such as [a, b], not "+n.shape.String(), "")
	}
	return nil, false
}
