package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pitlane-go/pitlane/config"
)

// common are the keys whose flags help shows; the others work too.
func common() []string {
	return []string{"brokers", "group", "topics", "start", "processor", "log.level", "log.format"}
}

// settings collects the flags of one command.
type settings struct {
	file   string
	values map[string][]string
}

// flags gives a command a flag per key, and --config.
func flags(cmd *cobra.Command) *settings {
	s := &settings{values: map[string][]string{}}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&s.file, "config", "c", "", "the configuration file (default: what "+config.ConfigFileEnv+" names)")
	for _, k := range config.Keys() {
		if k.Flag() == "" {
			continue
		}
		flag := f.VarPF(&flagValue{key: k, values: s.values}, k.Flag(), "", plain(k.Doc))
		flag.Hidden = !slices.Contains(common(), k.Path)
		if k.Type == "true or false" {
			flag.NoOptDefVal = "true"
		}
	}
	cmd.Long = strings.TrimSpace(cmd.Long + "\n\nEvery key of the configuration is a flag too, such as --pause.initial 2s; 'help keys' lists them.")
	return s
}

// plain takes the marks of the documentation away; pflag would read the first
// one as the name of the value.
func plain(doc string) string { return strings.ReplaceAll(doc, "`", "") }

// load reads the configuration that the flags, the environment and the file say.
func (s *settings) load(environ []string) (*config.Config, error) {
	file := s.file
	if file == "" {
		for _, variable := range environ {
			if value, found := strings.CutPrefix(variable, config.ConfigFileEnv+"="); found {
				file = value
			}
		}
	}
	c, err := config.Load(config.Sources{File: file, Env: environ, Flags: s.values})
	if err != nil {
		return nil, err
	}
	return c, c.TryProperties(tryProperties)
}

// flagValue is the value of one key's flag. Its text is checked when all
// sources are read, so that all problems come at once.
type flagValue struct {
	key    config.Key
	values map[string][]string
}

var _ pflag.Value = (*flagValue)(nil)

// String implements pflag.Value.
func (v *flagValue) String() string { return strings.Join(v.values[v.key.Path], ",") }

// Set implements pflag.Value. A flag that may be repeated collects, the last of
// the others wins.
func (v *flagValue) Set(text string) error {
	if !v.key.Repeatable {
		v.values[v.key.Path] = nil
	}
	v.values[v.key.Path] = append(v.values[v.key.Path], text)
	return nil
}

// Type implements pflag.Value.
func (v *flagValue) Type() string {
	if v.key.Type == "true or false" {
		return "bool"
	}
	return v.key.Type
}
