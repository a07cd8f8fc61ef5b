package rig

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

// tail counts the runs in a journal that grows. A test's goroutine owns it.
type tail struct {
	path string
	from int64  // what was read
	rest []byte // of a line that was not whole
	runs int
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// startOf marks the lines of a journal that start a run.
var startOf = []byte(`"kind":"start"`) //nolint:gochecknoglobals // a constant that Go cannot declare as one

// read takes what was written since the last time and returns all runs so far.
func (l *tail) read() (int, error) {
	f, err := os.Open(l.path)
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close() //nolint:errcheck // only read
	more, err := io.ReadAll(io.NewSectionReader(f, l.from, 1<<40))
	if err != nil {
		return 0, err
	}
	l.from += int64(len(more))
	text := append(l.rest, more...)
	whole := bytes.LastIndexByte(text, '\n') + 1
	l.runs += bytes.Count(text[:whole], startOf)
	l.rest = append([]byte(nil), text[whole:]...)
	return l.runs, nil
}

// Runs is how many runs of the processor this process has started.
func (p *Process) Runs() int {
	p.rig.t.Helper()
	n, err := p.tail.read()
	if err != nil {
		p.rig.t.Fatal(err)
	}
	return n
}

// AwaitRuns waits until this process has started n runs of the processor.
func (p *Process) AwaitRuns(n int, limit time.Duration) {
	p.rig.t.Helper()
	p.rig.Until(fmt.Sprintf("%d runs of %s", n, p.Name), limit, func(context.Context) bool { return p.Runs() >= n })
}
