package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// envTask gives a loop's process what it shall do.
const envTask = "PITLANE_BENCH_TASK"

// loopTimeout bounds one round of one loop.
const loopTimeout = 10 * time.Minute

// task is what a loop's process shall do, and result what it found; both go
// between the processes as JSON.
type task struct {
	Loop       string
	Brokers    []string
	Group      string
	Input      string
	Output     string `json:",omitempty"`
	Partitions int
	Messages   int
	Started    time.Time
	Profile    string `json:",omitempty"`
}

// each is the number of messages in one partition.
func (t task) each() int { return t.Messages / t.Partitions }

type result struct {
	// Seconds and CPU are from the first message to the last, in seconds.
	Seconds, CPU float64
	// First is from the start of the process to its first message, in seconds.
	First float64
	// Allocations and Bytes are Go's, in all.
	Allocations, Bytes uint64
	// Verdict is the checker's.
	Verdict string
	// ResidentMiB is the largest resident memory of the process.
	ResidentMiB float64
}

// measure runs all rounds of a table.
func (b *broker) measure(ctx context.Context, t table) (map[string][]result, error) {
	out := map[string][]result{}
	order := slices.Clone(t.loops)
	for range b.o.rounds {
		for _, loop := range order {
			r, err := b.round(ctx, t, loop)
			if err != nil {
				return nil, fmt.Errorf("loop %q: %w", loop, err)
			}
			out[loop] = append(out[loop], r)
		}
		slices.Reverse(order)
	}
	return out, nil
}

// round runs one loop once.
func (b *broker) round(ctx context.Context, t table, loop string) (result, error) {
	b.runs++
	do := task{
		Loop: loop, Brokers: b.cluster.Bootstrap(), Group: fmt.Sprintf("bench-%d", b.runs),
		Input: t.input, Partitions: b.o.partitions, Messages: t.messages,
	}
	if b.o.profiles != "" {
		do.Profile = filepath.Join(b.o.profiles, fmt.Sprintf("%03d.prof", b.runs))
	}
	if t.sends {
		do.Output = fmt.Sprintf("out-%d", b.runs)
		if err := b.topic(ctx, do.Output); err != nil {
			return result{}, err
		}
	}
	r, err := spawn(ctx, do)
	if err != nil || !t.sends {
		return r, err
	}
	r.Verdict, err = b.verdict(ctx, t.input, do.Output)
	return r, err
}

// spawn runs this program again, as a loop.
func spawn(ctx context.Context, do task) (r result, err error) {
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	ctx, cancel := context.WithTimeout(ctx, loopTimeout)
	defer cancel()
	do.Started = time.Now()
	text, err := json.Marshal(do)
	if err != nil {
		return r, err
	}
	cmd := exec.CommandContext(ctx, self) //nolint:gosec // itself
	cmd.Env = append(os.Environ(), envTask+"="+string(text))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return r, err
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return r, fmt.Errorf("read result %q: %w", out.String(), err)
	}
	return r, nil
}
