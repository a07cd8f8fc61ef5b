package config

import (
	"slices"
	"strings"
)

// finder walks a tree of nodes and sorts what it finds by key.
type finder struct {
	keys     []Key
	sections map[string][]string
	known    map[string]Key
	problems *problems
	settings map[string][]node
	places   map[string]Origin
}

func newFinder(keys []Key, p *problems) *finder {
	f := &finder{
		keys: keys, sections: sections(keys), known: map[string]Key{}, problems: p,
		settings: map[string][]node{}, places: map[string]Origin{},
	}
	for _, k := range keys {
		f.known[k.Path] = k
	}
	return f
}

// table reads the section at path (empty: the top). shown stands before the
// keys in messages.
func (f *finder) table(n node, path, shown string) {
	if n.shape != shapeTable {
		what := "a configuration"
		if path != "" {
			what = path
		}
		f.problems.add(n.origin, "", what+" wants keys with values, not "+n.shape.String(), f.keysOf(path))
		return
	}
	for _, e := range n.entries {
		f.entry(e, path, shown)
	}
}

func (f *finder) entry(e entry, section, shown string) {
	path := e.name
	if section != "" {
		path = section + "." + e.name
	}
	if _, isSection := f.sections[path]; isSection {
		if first, twice := f.places[path]; twice {
			f.problems.add(e.origin, shown+path, "is set twice, first at "+first.String(), "keep one")
		}
		f.places[path] = e.origin
		if e.value.shape != shapeNull {
			f.table(e.value, path, shown)
		}
		return
	}
	key, known := f.known[path]
	switch {
	case !known:
		f.problems.add(e.origin, shown+path, "is not a key", f.suggest(path, section))
		return
	case key.Secret:
		f.problems.add(e.origin, shown+path, "does not belong in a file",
			"use "+key.Path+"_file, or the variable "+key.Env())
		return
	}
	if first, twice := f.places[path]; twice {
		f.problems.add(e.origin, shown+path, "is set twice, first at "+first.String(), "keep one")
		return
	}
	f.places[path] = e.origin
	// A value that stands on the next line, or is empty, is looked for where
	// its key is.
	if e.value.shape == shapeNull || e.value.shape == shapeTable || e.value.shape == shapeList {
		e.value.origin = e.origin
	}
	f.settings[path] = append(f.settings[path], e.value)
}

func (f *finder) suggest(path, section string) string {
	if near := suggestKey(path, f.keys); near != "" {
		return didYouMean(near)
	}
	return f.keysOf(section)
}

func (f *finder) keysOf(section string) string {
	// A secret has a name, but not in a file.
	names := slices.DeleteFunc(slices.Clone(f.sections[section]), func(name string) bool {
		return f.known[strings.TrimPrefix(section+"."+name, ".")].Secret
	})
	slices.Sort(names)
	return "the keys here are " + strings.Join(names, ", ")
}
