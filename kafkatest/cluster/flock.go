package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// lockRetry is how often a taken file lock is tried again. flock has no form that
// waits for a context.
const lockRetry = 100 * time.Millisecond

// fileLock is an exclusive lock on a file. The system drops it with the process.
type fileLock struct{ f *os.File }

// tryLock takes the lock or returns nil when another process has it.
func tryLock(path string) (*fileLock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, fmt.Errorf("create lock directory: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock file: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return &fileLock{f}, nil
	}
	closeErr := f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, closeErr
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}

// lock waits for the lock.
func lock(ctx context.Context, path string) (*fileLock, error) {
	tick := time.NewTicker(lockRetry)
	defer tick.Stop()
	for {
		l, err := tryLock(path)
		if l != nil || err != nil {
			return l, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for lock %s: %w", path, context.Cause(ctx))
		}
	}
}

// unlock drops the lock. The file stays: to remove it would let two processes
// hold locks on two files of the same name.
func (l *fileLock) unlock() error {
	if err := l.f.Close(); err != nil {
		return fmt.Errorf("unlock %s: %w", l.f.Name(), err)
	}
	return nil
}
