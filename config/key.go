package config

import (
	"slices"
	"strings"
)

// envPrefix begins the name of every environment variable that is read.
const envPrefix = "PITLANE_"

// Key is one setting, as the file, the environment, the flags and the
// documentation know it.
type Key struct {
	// Path is the name with its sections, joined by dots.
	Path string
	// Type is a word for people: duration, size, number, text, list ...
	Type string
	// Range says which values are valid; it may be empty.
	Range string
	// Doc says what it does, in one sentence or two.
	Doc string
	// Secret is true for what is shown redacted, and read from the environment
	// only.
	Secret bool
	// Repeatable is true when its flag may be given more than once.
	Repeatable bool

	codec codec
}

// codec reads and shows one setting.
type codec interface {
	// decode stores the value of n in c. It reports what is wrong and then
	// leaves c alone.
	decode(c *Config, key string, n node, p *problems)
	// show gives the value that c holds, in the forms of Value.Value.
	show(c *Config) any
}

// Env is the name of the key's environment variable.
func (k Key) Env() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(k.Path, ".", "_"))
}

// Flag is the name of the key's flag, without dashes; empty when it has none.
func (k Key) Flag() string {
	if k.Secret {
		return ""
	}
	return k.Path
}

// Default gives the default as it is written in a file.
func (k Key) Default() any {
	c := defaults()
	return k.codec.show(&c)
}

// Section gives the part of the path before the last dot.
func (k Key) Section() string {
	section, _, _ := cutLast(k.Path)
	return section
}

// cutLast splits a path at its last dot; the section is empty when there is
// none.
func cutLast(path string) (section, name string, found bool) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}

// sections gives every section of the table, with the keys directly in it.
func sections(keys []Key) map[string][]string {
	out := map[string][]string{}
	for _, k := range keys {
		path := k.Path
		for {
			section, name, found := cutLast(path)
			if !slices.Contains(out[section], name) {
				out[section] = append(out[section], name)
			}
			if !found {
				break
			}
			path = section
		}
	}
	return out
}
