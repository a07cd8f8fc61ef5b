package cli_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/processor"
)

var update = flag.Bool("update", false, "write golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// result is what one command left behind.
type result struct {
	code           int
	stdout, stderr string
}

// run runs a command of a program with the stock processor "copy".
func run(t *testing.T, args []string, opts ...cli.Option) result {
	t.Helper()
	return runProgram(t, cli.Program{Args: args}, opts...)
}

func runProgram(t *testing.T, p cli.Program, opts ...cli.Option) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	p.Name, p.Stdout, p.Stderr = "runner", &stdout, &stderr
	opts = append([]cli.Option{cli.WithProcessor("copy", newCopier)}, opts...)
	code := cli.Run(t.Context(), p, opts...)
	return result{code, stdout.String(), stderr.String()}
}

// copier is a processor with settings.
type copier struct {
	config struct {
		Topic string `yaml:"topic"`
	}
}

func newCopier() processor.Processor { return &copier{} }

func (c *copier) Config() any                                       { return &c.config }
func (c *copier) Process(context.Context, *processor.Message) error { return nil }

// golden compares got with a file, or writes the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs.\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

// minimal are the flags without which nothing runs.
func minimal(more ...string) []string {
	return append([]string{"--brokers", "localhost:9092", "--group", "copies", "--topics", "uploads", "--processor", "copy"}, more...)
}

func command(name string, flags ...string) []string { return append([]string{name}, flags...) }
