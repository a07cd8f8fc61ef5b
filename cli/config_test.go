package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/config"
)

// full shows the full file with something from each source.
func full(t *testing.T, output string) string {
	t.Helper()
	got := runProgram(t, cli.Program{
		Args:    []string{"config", "--output", output, "--config", "testdata/full.yaml", "--pause.jitter", "0.5", "--tls.enabled"},
		Environ: []string{"PITLANE_SASL_PASSWORD=hunter2", "PITLANE_COMMIT_INTERVAL=2s"},
	})
	if got.code != 0 || got.stderr != "" {
		t.Fatalf("exit code %d, %s", got.code, got.stderr)
	}
	if strings.Contains(got.stdout, "hunter2") {
		t.Errorf("a secret is shown:\n%s", got.stdout)
	}
	return got.stdout
}

func TestConfigShowsEveryValueWithItsSource(t *testing.T) {
	t.Parallel()
	settings, properties, _ := strings.Cut(full(t, "table"), "\n\n")
	golden(t, "config_table.golden", settings)
	for _, want := range []string{"CONSUMER PROPERTY", "PRODUCER PROPERTY", "enable.auto.offset.store  ", "compression.type  ", "sasl.password  "} {
		if !strings.Contains(properties, want) {
			t.Errorf("%q is not in\n%s", want, properties)
		}
	}
}

func TestConfigAsYAMLCanBeReadAgain(t *testing.T) {
	t.Parallel()
	text := full(t, "yaml")
	settings, _, _ := strings.Cut(text, "\n\n#")
	golden(t, "config_yaml.golden", settings+"\n")
	path := filepath.Join(t.TempDir(), "again.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := config.Load(config.Sources{File: path, Env: []string{"PITLANE_SASL_PASSWORD=x"}})
	if err != nil {
		t.Fatal(err)
	}
	first, err := config.Load(config.Sources{
		File: "testdata/full.yaml", Env: []string{"PITLANE_SASL_PASSWORD=hunter2", "PITLANE_COMMIT_INTERVAL=2s"},
		Flags: map[string][]string{"pause.jitter": {"0.5"}, "tls.enabled": {"true"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := valuesOf(t, first), valuesOf(t, again); a != b {
		t.Errorf("read again:\n%s\nwas:\n%s", b, a)
	}
}

// valuesOf gives the values without their sources and without what cannot be
// written into a file.
func valuesOf(t *testing.T, c *config.Config) string {
	t.Helper()
	values := map[string]any{}
	for _, v := range c.Values() {
		if v.Value != config.Redacted {
			values[v.Key] = v.Value
		}
	}
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestConfigAsJSON(t *testing.T) {
	t.Parallel()
	var got struct {
		Settings []struct {
			Key    string
			Value  any
			Source string
		}
		Clients map[string]map[string]string
	}
	if err := json.Unmarshal([]byte(full(t, "json")), &got); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, s := range got.Settings {
		found[s.Key] = s.Source
	}
	for key, want := range map[string]string{
		"pause.max": "testdata/full.yaml:7:14", "pause.jitter": "flag --pause.jitter",
		"commit.interval": "env PITLANE_COMMIT_INTERVAL", "members": "default", "sasl.password": "env PITLANE_SASL_PASSWORD",
	} {
		if found[key] != want {
			t.Errorf("%s comes from %q, not %q", key, found[key], want)
		}
	}
	if got.Clients["consumer"]["group.id"] != "copies" || got.Clients["producer"]["acks"] != "all" {
		t.Errorf("clients %v", got.Clients)
	}
}

func TestTheFileMayBeNamedByTheEnvironment(t *testing.T) {
	t.Parallel()
	got := runProgram(t, cli.Program{
		Args: []string{"config"}, Environ: []string{"PITLANE_CONFIG=testdata/full.yaml", "PITLANE_SASL_PASSWORD=x"},
	})
	if got.code != 0 || !strings.Contains(got.stdout, "copier-1") {
		t.Errorf("exit code %d, %s", got.code, got.stderr)
	}
}
