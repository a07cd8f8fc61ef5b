package rig

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Usage is what a process takes from the machine.
type Usage struct {
	CPU        time.Duration // since its start
	Threads    int
	Files      int // open descriptors
	Goroutines int // -1 for a process that does not tell
}

// String returns the usage as one line.
func (u Usage) String() string {
	return fmt.Sprintf("cpu %v, %d threads, %d files, %d goroutines", u.CPU, u.Threads, u.Files, u.Goroutines)
}

// clockTick is the unit of /proc's times on every Linux that Go runs on.
const clockTick = 10 * time.Millisecond

// Usage reads what the process takes. Only workers tell their goroutines.
func (p *Process) Usage(goroutines bool) Usage {
	p.rig.t.Helper()
	proc := fmt.Sprintf("/proc/%d/", p.Pid())
	stat, err := os.ReadFile(proc + "stat")
	if err != nil {
		p.rig.t.Fatal(err)
	}
	// After the name, which is in brackets, come the fields from the third on.
	f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	field := func(number int) int {
		n, err := strconv.Atoi(f[number-3])
		if err != nil {
			p.rig.t.Fatalf("read %sstat: %v", proc, err)
		}
		return n
	}
	files, err := os.ReadDir(proc + "fd")
	if err != nil {
		p.rig.t.Fatal(err)
	}
	u := Usage{CPU: time.Duration(field(14)+field(15)) * clockTick, Threads: field(20), Files: len(files), Goroutines: -1}
	if goroutines {
		u.Goroutines = p.goroutines()
	}
	return u
}

// goroutines asks a worker.
func (p *Process) goroutines() int {
	p.rig.t.Helper()
	const answer = "goroutines: "
	before := 0
	for _, l := range p.Log() {
		if strings.HasPrefix(l.Text, answer) {
			before++
		}
	}
	p.Signal(syscall.SIGUSR1)
	seen := 0
	l := p.Await("the number of goroutines", 10*time.Second, func(l Line) bool {
		if strings.HasPrefix(l.Text, answer) {
			seen++
		}
		return seen > before
	})
	n, err := strconv.Atoi(strings.TrimPrefix(l.Text, answer))
	if err != nil {
		p.rig.t.Fatalf("%s: %q: %v", p.Name, l.Text, err)
	}
	return n
}
