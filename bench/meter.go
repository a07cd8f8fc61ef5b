package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
)

// meter measures from the first message to the last. The goroutines of several
// partitions may call it.
type meter struct {
	do    task
	parts []*tally
	left  atomic.Int64 // partitions whose last message has not come
	once  sync.Once
	done  chan struct{}

	began, ended     time.Time
	cpu              time.Duration
	before, after    runtime.MemStats
	cpuBegan         time.Duration
	firstAfterLaunch time.Duration
	resident         float64
}

func newMeter(do task) *meter {
	m := &meter{do: do, done: make(chan struct{})}
	m.left.Store(int64(do.Partitions))
	for range do.Partitions {
		m.parts = append(m.parts, &tally{meter: m, ids: make([]int64, 0, do.each())})
	}
	return m
}

// tally notes one partition's messages, on one goroutine.
type tally struct {
	meter *meter
	ids   []int64
}

// note notes a message: 8 bytes, and a look at the length.
func (t *tally) note(id int64) {
	if len(t.ids) == 0 {
		t.meter.first()
	}
	t.ids = append(t.ids, id)
	if len(t.ids) == t.meter.do.each() && t.meter.left.Add(-1) == 0 {
		t.meter.last()
	}
}

// first takes the start values, once.
func (m *meter) first() {
	m.once.Do(func() {
		m.began = time.Now()
		m.firstAfterLaunch = m.began.Sub(m.do.Started)
		runtime.ReadMemStats(&m.before)
		m.cpuBegan = cpuTime()
	})
}

// last takes the end values.
func (m *meter) last() {
	m.cpu = cpuTime() - m.cpuBegan
	m.ended = time.Now()
	runtime.ReadMemStats(&m.after)
	m.resident = residentPeak()
	close(m.done)
}

// result is what was measured. ids are numbered by partition and offset.
func (m *meter) result() result {
	r := result{
		Seconds: m.ended.Sub(m.began).Seconds(), CPU: m.cpu.Seconds(), First: m.firstAfterLaunch.Seconds(),
		Allocations: m.after.Mallocs - m.before.Mallocs, Bytes: m.after.TotalAlloc - m.before.TotalAlloc,
		ResidentMiB: m.resident,
	}
	var in, out kafkatest.Stream
	for p, t := range m.parts {
		for offset := range int64(m.do.each()) {
			in.Add(int32(p), m.id(int32(p), offset))
		}
		for _, id := range t.ids {
			out.Add(int32(p), id)
		}
	}
	r.Verdict = judged(kafkatest.Compare(&in, &out))
	return r
}

// id numbers a message of the input.
func (m *meter) id(partition int32, offset int64) int64 {
	return offset*int64(m.do.Partitions) + int64(partition) + 1
}

// cpuTime is what this process has used, all threads, user and system.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(fmt.Sprintf("bench: getrusage: %v", err)) // it has no way to fail with these arguments
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// residentPeak is the largest resident memory so far, in MiB, as the kernel has it:
// rusage would count that of the parent, which it had for a moment.
func residentPeak() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kib float64
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kib); err == nil {
			return kib / 1024
		}
	}
	return 0
}
