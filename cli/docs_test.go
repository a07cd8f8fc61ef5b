package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/config"
	"github.com/pitlane-go/pitlane/processor"
)

// blocks gives the code blocks of a page that are in this language.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	var out []string
	text := content(t, filepath.Join("../docs", page))
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatalf("%s has no blocks of %s", page, language)
	}
	return out
}

// forwarder has the settings of the stock forward.
type forwarder struct {
	config struct {
		Topic string `yaml:"topic"`
	}
}

func (f *forwarder) Config() any                                       { return &f.config }
func (f *forwarder) Process(context.Context, *processor.Message) error { return nil }

func stock() []cli.Option {
	return []cli.Option{
		cli.WithProcessor("forward", func() processor.Processor { return &forwarder{} }),
		cli.WithProcessor("log", func() processor.Processor {
			return processor.Func(func(context.Context, *processor.Message) error { return nil })
		}),
		cli.WithInspector(&cluster{topics: map[string]int{"uploads": 1, "orders-eu": 1}}),
		cli.WithEngine(func(*config.Config) cli.Engine {
			return cli.EngineFunc(func(context.Context) error { return nil })
		}),
	}
}

func TestTheConfigurationsOfTheDocumentationAreValid(t *testing.T) {
	t.Parallel()
	for _, text := range blocks(t, "configuration.md", "yaml") {
		password := filepath.Join(t.TempDir(), "password")
		if err := os.WriteFile(password, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		text = strings.ReplaceAll(text, "/run/secrets/kafka", password)
		path := filepath.Join(t.TempDir(), "pitlane.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := run(t, []string{"config", "--config", path}, stock()...); got.code != 0 {
			t.Errorf("%s\n%s", text, got.stderr)
		}
	}
}

func TestTheConfigurationOfTheReadmeFitsItsProgram(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shouter.yaml")
	if err := os.WriteFile(path, []byte(blocks(t, "../README.md", "yaml")[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	shouter := processor.Func(func(context.Context, *processor.Message) error { return nil })
	if got := run(t, []string{"config", "--config", path}, cli.ForProcessor(shouter)); got.code != 0 {
		t.Error(got.stderr)
	}
}

func TestTheCommandsOfTheDocumentationRun(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pitlane.yaml")
	if err := os.WriteFile(file, []byte(blocks(t, "configuration.md", "yaml")[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	words := regexp.MustCompile(`'[^']*'|\S+`)
	for line := range strings.Lines(blocks(t, "cli.md", "sh")[0]) {
		var args []string
		for _, w := range words.FindAllString(line, -1) {
			args = append(args, strings.ReplaceAll(strings.Trim(w, "'"), "pitlane.yaml", file))
		}
		if got := run(t, args[1:], stock()...); got.code != 0 {
			t.Errorf("%s: exit code %d\n%s%s", line, got.code, got.stdout, got.stderr)
		}
	}
}
