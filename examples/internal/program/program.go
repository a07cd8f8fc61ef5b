// Package program lets a test run the main function of its own package as a
// process, with real signals and exit codes and without a build of its own: the
// test binary starts itself again.
package program

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak" //nolint:depguard // a kit for the tests of the examples
)

// mark tells the test binary that it is the program. It does not begin like the
// variables that an example reads: unknown ones of these are refused.
const mark = "RUN_EXAMPLE_MAIN"

// startLimit bounds a process's life, should a test forget it.
const startLimit = 2 * time.Minute

// Main is what TestMain calls. In the process that Start made it runs main and
// does not return.
func Main(m *testing.M, main func()) {
	if os.Getenv(mark) != "" {
		main()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// Process is a running example.
type Process struct {
	cmd   *exec.Cmd
	lines chan string   // of both outputs; closed at the end
	ended chan struct{} // closed when its output has ended

	mu  sync.Mutex
	all []string
}

// Start runs the example with arguments. It is killed when the test ends.
func Start(t *testing.T, args ...string) *Process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), startLimit)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, exe, args...) //nolint:gosec // the test binary itself
	cmd.Env = append(os.Environ(), mark+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// The reader never waits for a test that does not look: capacity for all that
	// an example says.
	p := &Process{cmd: cmd, lines: make(chan string, 10000), ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		defer close(p.lines)
		s := bufio.NewScanner(out)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			p.mu.Lock()
			p.all = append(p.all, s.Text())
			p.mu.Unlock()
			select {
			case p.lines <- s.Text():
			default:
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		p.wait()
		if t.Failed() {
			t.Logf("output of the example:\n%s", p.Output())
		}
	})
	return p
}

// Line waits for a line that contains text and returns it.
func (p *Process) Line(t *testing.T, text string) string {
	t.Helper()
	for line := range p.lines {
		if strings.Contains(line, text) {
			return line
		}
	}
	t.Fatalf("the example ended without a line with %q", text)
	return ""
}

// Output is what it has written so far.
func (p *Process) Output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.all, "\n")
}

// Stop sends SIGTERM and returns the exit code.
func (p *Process) Stop(t *testing.T) int {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("stop the example: %v", err)
	}
	return p.Wait()
}

// Wait waits for the end and returns the exit code.
func (p *Process) Wait() int {
	p.wait()
	return p.cmd.ProcessState.ExitCode()
}

// wait may be called again: then the process is gone already.
func (p *Process) wait() {
	<-p.ended
	_ = p.cmd.Wait() // the exit code is in ProcessState
}
