package config_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/pitlane-go/pitlane/config"
)

const (
	tableBegin = "<!-- keys: begin -->\n"
	tableEnd   = "<!-- keys: end -->\n"
)

// The table of docs/configuration.md is made from the table of keys; with
// -update it is written.
func TestTheDocumentationListsEveryKey(t *testing.T) {
	t.Parallel()
	const path = "../docs/configuration.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), tableBegin)
	_, after, closed := strings.Cut(rest, tableEnd)
	if !found || !closed {
		t.Fatalf("%s has no %q and %q", path, tableBegin, tableEnd)
	}
	golden(t, path, before+tableBegin+reference(t)+tableEnd+after)
}

func reference(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| Key | Type, range | Default | Meaning |\n|---|---|---|---|\n")
	for _, k := range config.Keys() {
		words := k.Type
		if k.Range != "" {
			words += ": " + k.Range
		}
		name := k.Path
		if k.Secret {
			name = k.Env()
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", name, words, inline(t, k.Default()), k.Doc)
	}
	return b.String()
}

func inline(t *testing.T, v any) string {
	t.Helper()
	text, err := yaml.MarshalWithOptions(v, yaml.Flow(true))
	if err != nil {
		t.Fatal(err)
	}
	s := strings.Trim(strings.TrimSpace(string(text)), `"`)
	if s == "" || s == "[]" || s == "{}" {
		return ""
	}
	return "`" + s + "`"
}

func TestEveryKeySaysWhatItIs(t *testing.T) {
	t.Parallel()
	env := map[string]string{config.ConfigFileEnv: "the file"}
	for _, k := range config.Keys() {
		if k.Doc == "" || k.Type == "" || !strings.HasSuffix(k.Doc, ".") {
			t.Errorf("%s: type %q, doc %q", k.Path, k.Type, k.Doc)
		}
		if other, taken := env[k.Env()]; taken {
			t.Errorf("%s and %s have the same variable %s", k.Path, other, k.Env())
		}
		env[k.Env()] = k.Path
	}
}
