package config

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// Sources are what Load reads.
type Sources struct {
	// File is the path of the YAML file; empty means none.
	File string
	// Env is the environment as os.Environ gives it; nil means none.
	Env []string
	// Flags are the flags that were given: path of the key to its values, in
	// the order of the command line.
	Flags map[string][]string
}

// Load reads flags over environment over file over defaults, and validates the
// whole. A mistake of the user is an *Error with all of them.
func Load(s Sources) (*Config, error) {
	var p problems
	c := defaults()
	l := loader{config: &c, problems: &p}
	if s.File != "" {
		l.file(s.File)
	}
	l.env(s.Env)
	l.flags(s.Flags)
	l.decode()
	if _, written := c.origins["watchdog.slow_after"]; !written && c.Runner.ProcessorTimeout > 0 {
		c.Runner.SlowAfter = c.Runner.ProcessorTimeout
	}
	l.required(s.File)
	checkTogether(&c, &p)
	applySecurity(&c, &p)
	if len(p.list) == 0 {
		checkRunner(c.Runner, &p)
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	return &c, nil
}

// loader holds what has been found so far, source after source.
type loader struct {
	config   *Config
	problems *problems
	settings map[string][]node
	// unread is true when the file could not be used: what it was to set cannot
	// be missed.
	unread bool
}

func (l *loader) add(path string, n node) {
	if l.settings == nil {
		l.settings = map[string][]node{}
	}
	l.settings[path] = append(l.settings[path], n)
}

func (l *loader) file(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		l.problems.add(Origin{Source: SourceFile, Name: path}, "", "cannot be read: "+reason(err), "")
		l.unread = true
		return
	}
	root, ok := yamlReader{name: path, source: SourceFile, problems: l.problems}.read(text)
	if !ok || root.shape != shapeTable {
		l.unread = true
	}
	if !ok {
		return
	}
	found := newFinder(Keys(), l.problems)
	found.table(root, "", "")
	for path, nodes := range found.settings {
		for _, n := range nodes {
			l.add(path, n)
		}
	}
}

// reason gives the cause of a file error without the path, which stands before.
func reason(err error) string {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err.Error()
	}
	return err.Error()
}

func (l *loader) env(environ []string) {
	byName := map[string]Key{}
	var names []string
	for _, k := range Keys() {
		byName[k.Env()] = k
		names = append(names, k.Env())
	}
	names = append(names, ConfigFileEnv)
	for _, variable := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, envPrefix) || name == ConfigFileEnv {
			continue
		}
		at := Origin{Source: SourceEnv, Name: name}
		key, known := byName[name]
		switch {
		case known:
			l.outside(key, value, at)
		case !foreign(name, value):
			remedy := ""
			if near := Nearest(name, names); near != "" {
				remedy = didYouMean(near)
			}
			l.problems.add(at, "", "is not a variable that is read", remedy)
		}
	}
}

// ConfigFileEnv is the variable that names the file when no flag does.
const ConfigFileEnv = envPrefix + "CONFIG"

// foreign tells whether somebody else sets variables of this name: Kubernetes
// does for every service whose name starts with "pitlane", and the project's own
// tests do.
func foreign(name, value string) bool {
	switch {
	case strings.HasPrefix(name, envPrefix+"TEST_"), strings.HasPrefix(name, envPrefix+"KAFKA_"):
		return true
	case strings.HasSuffix(name, "_SERVICE_HOST"), strings.Contains(name, "_SERVICE_PORT"):
		return true
	case strings.HasSuffix(name, "_PORT"), strings.Contains(name, "_PORT_"):
		return strings.Contains(name, "_TCP") || strings.Contains(name, "_UDP") || strings.Contains(value, "://")
	}
	return false
}

func (l *loader) flags(flags map[string][]string) {
	known := map[string]Key{}
	for _, k := range Keys() {
		known[k.Path] = k
	}
	for _, path := range slices.Sorted(maps.Keys(flags)) {
		key, ok := known[path]
		if !ok || key.Flag() == "" {
			l.problems.add(Origin{Source: SourceFlag, Name: "--" + path}, "", "is not a flag", "")
			continue
		}
		values := flags[path]
		at := Origin{Source: SourceFlag, Name: "--" + path}
		if _, list := key.codec.(propertiesCodec); !list && key.Repeatable && !structured(values) {
			values = []string{strings.Join(values, ",")}
		}
		for _, v := range values {
			l.outside(key, v, at)
		}
	}
}

// structured tells whether a value from outside a file is written as YAML.
func structured(values []string) bool {
	for _, v := range values {
		v = strings.TrimSpace(v)
		if strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[") {
			return true
		}
	}
	return false
}

// outside reads a value from the environment or a flag. Keys that are more than
// a word may be written as YAML there: {...} or [...].
func (l *loader) outside(key Key, value string, at Origin) {
	switch key.codec.(type) {
	case propertiesCodec, blockCodec, topicsCodec, listCodec:
		if structured([]string{value}) {
			root, ok := yamlReader{name: at.Name, source: at.Source, problems: l.problems}.read([]byte(value))
			if ok {
				l.add(key.Path, root)
			}
			return
		}
	}
	l.add(key.Path, node{shape: shapeBare, text: value, origin: at})
}

// decode stores what was found. Keys that copy others come after them: an entry
// of topics starts from the settings of all topics.
func (l *loader) decode() {
	keys := Keys()
	slices.SortStableFunc(keys, func(a, b Key) int { return late(a) - late(b) })
	for _, key := range keys {
		for _, n := range l.settings[key.Path] {
			before := len(l.problems.list)
			key.codec.decode(l.config, key.Path, n, l.problems)
			if len(l.problems.list) == before {
				l.config.origins[key.Path] = n.origin
			}
		}
	}
}

func late(k Key) int {
	if _, topics := k.codec.(topicsCodec); topics {
		return 1
	}
	return 0
}
