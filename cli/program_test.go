package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A user's program must not carry the embedded broker or the fault proxy.
func TestAUsersProgramCarriesNoTestKit(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if len(deps) < 50 {
		t.Fatalf("only %d dependencies found", len(deps))
	}
	for _, d := range deps {
		for _, kit := range []string{"kfake", "toxiproxy", "franz-go", "pitlane/kafkatest", "pitlane/demo", "testing"} {
			if strings.Contains(d, kit) && d != "internal/testlog" {
				t.Errorf("cli needs %s", d)
			}
		}
	}
}

const userProgram = `package main

import (
	"context"

	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/processor"
)

type resizer struct{}

func (resizer) Process(ctx context.Context, m *processor.Message) error {
	return m.Send(ctx, processor.Record{Topic: "thumbnails", Key: m.Key, Value: m.Value})
}

func main() { cli.Main("resizer", resizer{}) }
`

// A module of its own, with the pitlane of this tree, builds and runs.
func TestAUsersModuleLinksAndRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"main.go": userProgram,
		"go.mod":  userModule(t, root),
		"go.sum":  content(t, filepath.Join(root, "go.sum")),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "resizer")
	build := exec.CommandContext(t.Context(), "go", "build", "-mod=mod", "-o", program, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), program, "version").Output()
	if err != nil || !strings.Contains(string(out), "librdkafka          2.") {
		t.Errorf("%v\n%s", err, out)
	}
}

// userModule requires what this module requires, so that nothing is looked up.
func userModule(t *testing.T, root string) string {
	t.Helper()
	own := content(t, filepath.Join(root, "go.mod"))
	_, requires, found := strings.Cut(own, "require")
	if !found {
		t.Fatal("go.mod has no require")
	}
	return "module example.com/resizer\n\ngo 1.26.0\n\nrequire github.com/pitlane-go/pitlane v0.0.0\n\n" +
		"replace github.com/pitlane-go/pitlane => " + root + "\n\nrequire" + requires
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
