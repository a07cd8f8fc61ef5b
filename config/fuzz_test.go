package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/config"
)

// Whatever the file holds, Load gives a configuration or an *Error with at
// least one problem on one line each: no panic, no other error.
func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("testdata/mistakes/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Clean(file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(minimal + "processor: {forward: {topic: a}}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "f.yaml")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(config.Sources{File: path})
		if err == nil {
			_ = c.Values()
			_, _, _ = c.Processor.Choice([]string{"log"})
			return
		}
		var mistakes *config.Error
		if !errors.As(err, &mistakes) || len(mistakes.Problems) == 0 {
			t.Fatalf("got %v", err)
		}
		for _, p := range mistakes.Problems {
			if strings.Contains(p.String(), "\n") {
				t.Errorf("a problem has several lines: %q", p.String())
			}
		}
	})
}
