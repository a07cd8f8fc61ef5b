package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// launchScript notes its own number before it becomes the broker, so that the
// watcher can never miss one: when the directory is gone already, there is no
// broker either.
const launchScript = `echo $$ >"$1/pid" && shift && exec "$@"`

// node is one broker's process and its directory.
type node struct {
	id  int
	dir string // holds server.properties, data/, log and pid
	jvm *jvm
	cfg Config

	mu   sync.Mutex
	proc *process // nil when it does not run
}

// process is one life of a broker.
type process struct {
	cmd    *exec.Cmd
	doneCh chan struct{} // closed by its waiter, after err is set
	err    error
}

func (n *node) dataDir() string    { return filepath.Join(n.dir, "data") }
func (n *node) configFile() string { return filepath.Join(n.dir, "server.properties") }
func (n *node) logFile() string    { return filepath.Join(n.dir, "log") }

// start runs the broker's process; it does not wait until it serves.
func (n *node) start() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.proc != nil && !n.proc.ended() {
		return &BrokerError{Broker: n.id, Err: ErrRunning}
	}
	log, err := os.OpenFile(n.logFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open log of broker %d: %w", n.id, err)
	}
	args := append([]string{"-c", launchScript, "sh", n.dir, n.jvm.java},
		n.jvm.args(n.cfg.HeapBytes, "kafka.Kafka", n.configFile())...)
	cmd := exec.Command("/bin/sh", args...) //nolint:noctx // a broker outlives the context of its start
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := errors.Join(cmd.Start(), log.Close()); err != nil {
		return &BrokerError{Broker: n.id, Err: fmt.Errorf("start java: %w", err)}
	}
	p := &process{cmd: cmd, doneCh: make(chan struct{})}
	n.proc = p
	go func() {
		defer close(p.doneCh)
		p.err = cmd.Wait()
	}()
	return nil
}

func (p *process) ended() bool {
	select {
	case <-p.doneCh:
		return true
	default:
		return false
	}
}

// signal sends sig to the running process and returns it.
func (n *node) signal(sig syscall.Signal) (*process, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.signalLocked(sig)
}

func (n *node) signalLocked(sig syscall.Signal) (*process, error) {
	if n.proc == nil || n.proc.ended() {
		return nil, &BrokerError{Broker: n.id, Err: ErrNotRunning}
	}
	if err := n.proc.cmd.Process.Signal(sig); err != nil {
		return nil, &BrokerError{Broker: n.id, Err: fmt.Errorf("send %v: %w", sig, err)}
	}
	return n.proc, nil
}

// freeze stops the process and returns when all its threads have stopped: until
// then some may still answer. It keeps the lock, so that a thaw cannot come between.
func (n *node) freeze() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	p, err := n.signalLocked(syscall.SIGSTOP)
	if err != nil {
		return err
	}
	// Without WEXITED this does not take the end away from the process's waiter, and
	// with WNOWAIT it also returns for one that was frozen before.
	for {
		err = unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WSTOPPED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		return &BrokerError{Broker: n.id, Err: fmt.Errorf("wait for the freeze: %w", err)}
	}
	return nil
}

func (n *node) thaw() error {
	_, err := n.signal(syscall.SIGCONT)
	return err
}

// end sends sig and waits for the process's end.
func (n *node) end(ctx context.Context, sig syscall.Signal) error {
	p, err := n.signal(sig)
	if err != nil {
		return err
	}
	select {
	case <-p.doneCh:
		return nil
	case <-ctx.Done():
		return n.failed(fmt.Errorf("wait for the end after %v: %w", sig, context.Cause(ctx)))
	}
}

// alive returns an error with the log when the process has ended.
func (n *node) alive() error {
	n.mu.Lock()
	p := n.proc
	n.mu.Unlock()
	if p == nil {
		return &BrokerError{Broker: n.id, Err: ErrNotRunning}
	}
	if !p.ended() {
		return nil
	}
	return n.failed(fmt.Errorf("%w: %w", ErrNotRunning, p.exit()))
}

func (p *process) exit() error {
	if p.err != nil {
		return p.err
	}
	return errors.New("exit status " + strconv.Itoa(p.cmd.ProcessState.ExitCode()))
}

// failed wraps err with the end of the broker's log.
func (n *node) failed(err error) error {
	out, readErr := os.ReadFile(n.logFile())
	if readErr != nil {
		return &BrokerError{Broker: n.id, Err: err}
	}
	return &BrokerError{Broker: n.id, Log: tail(out), Err: err}
}
