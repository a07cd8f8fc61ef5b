package cli_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pitlane-go/pitlane/cli"
)

func TestHelp(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"help.golden":        {},
		"help_run.golden":    {"run", "--help"},
		"help_config.golden": {"config", "--help"},
		"help_check.golden":  {"check", "--help"},
	} {
		got := run(t, args)
		if got.code != 0 || got.stderr != "" {
			t.Errorf("%v: exit code %d, %s", args, got.code, got.stderr)
		}
		golden(t, name, got.stdout)
	}
}

func TestHelpListsEveryKey(t *testing.T) {
	t.Parallel()
	got := run(t, []string{"help", "keys"})
	for _, want := range []string{"--pause.initial  PITLANE_PAUSE_INITIAL", "PITLANE_SASL_PASSWORD  (no flag", "default 1m", "0 to 1"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// Every mistake on the command line leaves with 2, says what is wrong and what
// was meant, and shows no stack.
func TestMistakesOnTheCommandLine(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, args := range [][]string{
		{"rum"},
		{"run", "uploads"},
		{"version", "now"},
		{"run", "--pause.inital", "1s"},
		{"run", "--brokers"},
		{"run", "--sasl.password", "hunter2"},
		{"run"},
		{"run", "--config", "testdata/absent.yaml"},
		{"run", "--config", "testdata/mistakes.yaml"},
		command("run", minimal("--members", "0", "--pause.initial", "250")...),
		command("run", minimal("--processor", "copi")...),
		command("run", minimal("--processor", "{copy: {topik: a}}")...),
		command("config", minimal("--processor", "{copy: {topik: a}}")...),
		command("check", minimal("--consumer", "enable.auto.offset.store=true")...),
		command("run", minimal("--consumer", "fetch.min.bites=1", "--producer", "linger.ms=soon")...),
		command("check", minimal("--client", "ssl.keystore.pasword=hunter2")...),
		command("config", minimal("--tls.ca", "testdata/absent.yaml")...),
		command("config", minimal("--tls.ca", "testdata/full.yaml")...),
		command("config", minimal("--output", "xml")...),
		{"extra", "argument"},
	} {
		got := run(t, args, cli.WithCommand(&cobra.Command{Use: "extra", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return nil }}))
		if got.code != 2 || got.stdout != "" {
			t.Errorf("%v: exit code %d, standard output %q", args, got.code, got.stdout)
		}
		if strings.Contains(got.stderr, "goroutine") {
			t.Errorf("%v: a stack is shown", args)
		}
		out.WriteString("$ runner " + strings.Join(args, " ") + "\n" + got.stderr + "\n")
	}
	golden(t, "mistakes.golden", out.String())
}

type leaving int

func (l leaving) Error() string { return "leaving" }
func (l leaving) ExitCode() int { return int(l) }

func TestAnAddedCommandMayChooseItsExitCode(t *testing.T) {
	t.Parallel()
	for want, err := range map[int]error{0: nil, 1: errors.New("no"), 3: leaving(3)} {
		got := run(t, []string{"extra"}, cli.WithCommand(&cobra.Command{Use: "extra", RunE: func(*cobra.Command, []string) error { return err }}))
		if got.code != want {
			t.Errorf("%v gave exit code %d", err, got.code)
		}
	}
}

func TestAProgramWithoutAProcessorSaysSo(t *testing.T) {
	t.Parallel()
	var stderr strings.Builder
	code := cli.Run(t.Context(), cli.Program{Name: "x", Args: command("run", minimal()[:6]...), Stderr: &stderr, Stdout: &stderr})
	if code != 1 || !strings.Contains(stderr.String(), "the program has no processor") {
		t.Errorf("exit code %d, %s", code, stderr.String())
	}
}
