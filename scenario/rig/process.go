package rig

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/goccy/go-yaml"
)

// Settings are a configuration file's values, by dotted key.
type Settings map[string]any

// Process is one process under test.
type Process struct {
	Name    string
	Journal string

	rig    *Rig
	cmd    *exec.Cmd
	log    *logBuffer
	done   chan struct{}
	code   int
	waitAt time.Time
	tail   tail
}

// Worker starts scenario/worker with the race detector, as a member with this
// name; settings are merged over what every member gets.
func (r *Rig) Worker(name string, settings Settings) *Process {
	r.t.Helper()
	base := r.base()
	base["processor.name"] = name
	base["processor.journal"] = r.journal(name)
	base["processor.output"] = r.Output
	maps.Copy(base, settings)
	return r.start(name, r.Suite.Binary(r.t, "scenario/worker", true), base)
}

// BatchWorker is Worker with a batch processor.
func (r *Rig) BatchWorker(name string, settings Settings) *Process {
	r.t.Helper()
	base := r.base()
	base["processor.name"] = name
	base["processor.journal"] = r.journal(name)
	base["processor.output"] = r.Output
	maps.Copy(base, settings)
	return r.start(name, r.Suite.Binary(r.t, "scenario/worker", true), base, "WORKER_BATCH=1")
}

// Stock starts the stock runner without the race detector.
func (r *Rig) Stock(name string, settings Settings) *Process {
	r.t.Helper()
	base := r.base()
	maps.Copy(base, settings)
	return r.start(name, r.Suite.Binary(r.t, "cmd/runner", false), base)
}

func (r *Rig) journal(name string) string { return r.Path(name + ".journal") }

func (r *Rig) base() Settings {
	brokers := r.Cluster.Bootstrap()
	if r.Proxies != nil {
		brokers = r.Proxies.Bootstrap()
	}
	return Settings{
		"brokers": brokers, "group": r.Group, "topics": []string{r.Input}, "log.format": "json",
	}
}

// nested turns dotted keys into maps.
func (s Settings) nested() map[string]any {
	out := map[string]any{}
	for k, v := range s {
		at := out
		parts := strings.Split(k, ".")
		for _, p := range parts[:len(parts)-1] {
			next, ok := at[p].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[p] = next
			}
			at = next
		}
		at[parts[len(parts)-1]] = v
	}
	return out
}

func (r *Rig) start(name, binary string, settings Settings, env ...string) *Process {
	r.t.Helper()
	text, err := yaml.Marshal(settings.nested())
	if err != nil {
		r.t.Fatal(err)
	}
	file := r.Path(fmt.Sprintf("%s-%d.yaml", name, len(r.procs)))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		r.t.Fatal(err)
	}
	p := &Process{Name: name, Journal: r.journal(name), rig: r, log: newLogBuffer(), done: make(chan struct{})}
	p.tail.path, p.tail.from = p.Journal, sizeOf(p.Journal)
	p.cmd = exec.Command(binary, "run", "--config", file) //nolint:noctx // it is stopped by signals
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	p.cmd.Env = append(append(os.Environ(), "GORACE=halt_on_error=1 exitcode=66 atexit_sleep_ms=0"), env...)
	if err := p.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	go p.wait()
	r.procs = append(r.procs, p)
	r.t.Cleanup(func() {
		p.Kill()
		if r.t.Failed() {
			r.t.Logf("log of %s (exit %d):\n%s", p.Name, p.code, p.log.tail())
		}
	})
	return p
}

func (p *Process) wait() {
	err := p.cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit):
		p.code = exit.ExitCode() // -1 when a signal ended it
	default:
		p.code = -2
	}
	p.waitAt = time.Now()
	close(p.done)
}

// Pid is the process number.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Signal sends a signal.
func (p *Process) Signal(s syscall.Signal) {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.rig.t.Errorf("signal %v to %s: %v", s, p.Name, err)
	}
}

// Kill ends the process at once and waits for its end.
func (p *Process) Kill() {
	select {
	case <-p.done:
		return
	default:
	}
	p.Signal(syscall.SIGKILL)
	<-p.done
}

// Wait waits for the end and returns the exit code. It fails the test after
// limit.
func (p *Process) Wait(limit time.Duration) int {
	p.rig.t.Helper()
	select {
	case <-p.done:
		return p.code
	case <-time.After(limit):
		p.Signal(syscall.SIGQUIT) // its stacks go to the log
		<-p.done
		p.rig.t.Fatalf("%s has not ended after %v", p.Name, limit)
		return 0
	}
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Log returns the log lines so far.
func (p *Process) Log() []Line { return p.log.lines() }

// Await waits for a log line that the test accepts and returns it.
func (p *Process) Await(what string, limit time.Duration, accept func(Line) bool) Line {
	p.rig.t.Helper()
	l, ok := p.log.await(limit, p.done, accept)
	if !ok {
		p.rig.t.Fatalf("%s: no log line %q within %v", p.Name, what, limit)
	}
	return l
}

// AwaitMessage waits for a log line with this message.
func (p *Process) AwaitMessage(message string, limit time.Duration) Line {
	p.rig.t.Helper()
	return p.Await(message, limit, func(l Line) bool { return l.Message == message })
}

// logBuffer keeps what a process prints.
type logBuffer struct {
	mu      sync.Mutex
	rest    []byte
	all     []Line
	changed chan struct{}
}

func newLogBuffer() *logBuffer { return &logBuffer{changed: make(chan struct{})} }

// Write implements io.Writer.
func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rest = append(b.rest, p...)
	for {
		i := bytes.IndexByte(b.rest, '\n')
		if i < 0 {
			break
		}
		b.all = append(b.all, parseLine(string(b.rest[:i])))
		b.rest = b.rest[i+1:]
	}
	close(b.changed)
	b.changed = make(chan struct{})
	return len(p), nil
}

func (b *logBuffer) lines() []Line {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Line(nil), b.all...)
}

func (b *logBuffer) await(limit time.Duration, done <-chan struct{}, accept func(Line) bool) (Line, bool) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	seen := 0
	for {
		b.mu.Lock()
		all, changed := b.all, b.changed
		b.mu.Unlock()
		for ; seen < len(all); seen++ {
			if accept(all[seen]) {
				return all[seen], true
			}
		}
		select {
		case <-changed:
		case <-done:
			b.mu.Lock()
			more := len(b.all) > seen
			b.mu.Unlock()
			if !more {
				return Line{}, false
			}
		case <-timer.C:
			return Line{}, false
		}
	}
}

// tailLines is how much of a log a failed test shows.
const tailLines = 80

func (b *logBuffer) tail() string {
	all := b.lines()
	from := max(0, len(all)-tailLines)
	if i := slices.IndexFunc(all, func(l Line) bool { return strings.HasPrefix(l.Text, "SIGQUIT") }); i >= 0 {
		from = max(0, min(from, i-tailLines)) // all stacks
	}
	var out strings.Builder
	for _, l := range all[from:] {
		out.WriteString(l.Text + "\n")
	}
	out.Write(b.rest)
	return out.String()
}
