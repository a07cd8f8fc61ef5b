package cluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// watcherScript waits for the end of its input, which comes when this process
// closes the pipe or is gone, and then ends the brokers. A process is killed only
// when its command line names the cluster's directory: its number may belong to
// somebody else by now. KILL works on stopped processes too. The directory goes
// last, and again after a moment, because a dying process may still write into it.
const watcherScript = `
dir=$1
cat >/dev/null
for f in "$dir"/*/pid; do
	[ -f "$f" ] || continue
	pid=$(cat "$f")
	if [ ! -d /proc/self ] || tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF "$dir"; then
		kill -KILL "$pid" 2>/dev/null
		n=0
		while kill -0 "$pid" 2>/dev/null && [ $n -lt 50 ]; do sleep 0.1; n=$((n + 1)); done
	fi
done
rm -rf "$dir"
`

// watcher is the shell that outlives this process by a moment.
type watcher struct {
	cmd  *exec.Cmd
	pipe *os.File
}

func startWatcher(dir string) (*watcher, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("create watcher's pipe: %w", err)
	}
	cmd := exec.Command("/bin/sh", "-c", watcherScript, "pitlane-kafka-watcher", dir) //nolint:noctx // it has to outlive every context
	cmd.Stdin = r
	// A session of its own: a signal to the group of this process, such as Ctrl-C,
	// must not end it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Dir = filepath.Dir(dir)
	if err := errors.Join(cmd.Start(), r.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("start watcher: %w", err), w.Close())
	}
	return &watcher{cmd: cmd, pipe: w}, nil
}

// stop lets the watcher do its work and waits for it.
func (w *watcher) stop() error {
	if err := w.pipe.Close(); err != nil {
		return fmt.Errorf("close watcher's pipe: %w", err)
	}
	if err := w.cmd.Wait(); err != nil {
		return fmt.Errorf("end watcher: %w", err)
	}
	return nil
}
