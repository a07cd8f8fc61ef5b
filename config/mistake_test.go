package config_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/config"
)

// Every mistake of a file is reported with file, line and column, and all of
// them at once; testdata/mistakes holds one file per kind.
func TestMistakesInAFile(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/mistakes/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no mistakes found: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			_, err := config.Load(config.Sources{File: file})
			if _, ok := errors.AsType[*config.Error](err); !ok {
				t.Fatalf("Load gave %v, not a *config.Error", err)
			}
			golden(t, strings.TrimSuffix(file, ".yaml")+".golden", err.Error()+"\n")
		})
	}
}

func TestMistakesInTheEnvironmentAndFlags(t *testing.T) {
	t.Parallel()
	_, err := config.Load(config.Sources{
		Env: []string{
			"PITLANE_BROKERS=a:1,b",
			"PITLANE_PAUSE_INITIL=1s",
			"PITLANE_MEMBERS=",
			"PITLANE_PROCESSOR={forward: [",
			"PITLANE_CLIENT=debug",
			"PITLANE_SERVICE_HOST=10.0.0.1",
			"PITLANE_PORT=tcp://10.0.0.1:80",
			"PITLANE_TEST_SCALE=full",
			"HOME=/",
		},
		Flags: map[string][]string{
			"group":         {"thumbnails"},
			"pause.initial": {"250"},
			"topics":        {"a", "^("},
			"sasl.password": {"hunter2"},
			"nonsense":      {"1"},
		},
	})
	if err == nil {
		t.Fatal("Load took it all")
	}
	golden(t, "testdata/outside.golden", err.Error()+"\n")
}

func TestAFileThatIsNestedTooDeep(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{100, 2_000} {
		path := write(t, "deep.yaml", minimal+"processor: "+strings.Repeat("[", depth)+strings.Repeat("]", depth)+"\n")
		_, err := config.Load(config.Sources{File: path})
		if err == nil || !strings.Contains(err.Error(), "levels deep") {
			t.Errorf("%d levels gave %v", depth, err)
		}
	}
}

func TestAFileThatIsTheWrongOne(t *testing.T) {
	t.Parallel()
	path := write(t, "dump.yaml", strings.Repeat("a: 1\n", 20_000))
	_, err := config.Load(config.Sources{File: path})
	if err == nil || !strings.Contains(err.Error(), "dump.yaml: is 100000 bytes long, more than 65536; is it the right file?") {
		t.Errorf("got %v", err)
	}
}

func TestAFileThatIsNotText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"\xff\xfeb\x00r\x00", "\x00\x01", minimal + "client_id: \xe9t\xe9\n"} {
		_, err := config.Load(config.Sources{File: write(t, "odd.yaml", text)})
		if err == nil || !strings.Contains(err.Error(), "odd.yaml: is not text in UTF-8") {
			t.Errorf("%q gave %v", text, err)
		}
	}
}

func TestAFileFromAnotherSystem(t *testing.T) {
	t.Parallel()
	text := "\ufeff" + strings.ReplaceAll(minimal, "\n", "\r\n")
	if _, err := config.Load(config.Sources{File: write(t, "bom.yaml", text)}); err != nil {
		t.Error(err)
	}
}

func TestAFileThatIsNotThere(t *testing.T) {
	t.Parallel()
	_, err := config.Load(config.Sources{File: "testdata/absent.yaml"})
	if err == nil || !strings.Contains(err.Error(), "testdata/absent.yaml: cannot be read: no such file or directory") {
		t.Fatalf("got %v", err)
	}
}

func TestASecretIsNotRepeatedInAnError(t *testing.T) {
	t.Parallel()
	_, err := config.Load(config.Sources{File: "testdata/mistakes/security.yaml"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Fatalf("got %v", err)
	}
}

// A password with a comma falls apart where properties are separated by commas.
func TestARestOfASecretIsNotRepeatedInAnError(t *testing.T) {
	t.Parallel()
	_, err := config.Load(config.Sources{Env: []string{"PITLANE_CLIENT=sasl.password=a,hunter2"}})
	if err == nil || !strings.Contains(err.Error(), "what follows a comma") || strings.Contains(err.Error(), "hunter2") {
		t.Fatalf("got %v", err)
	}
}
