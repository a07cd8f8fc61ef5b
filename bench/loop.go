package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
)

// The loops. Those of Pitlane differ in their feed, or take batches.
const (
	barePoll     = "bare: Poll"
	bareQueues   = "bare: a queue per partition"
	queueSingle  = "pitlane: feed queue"
	queueBatch   = "pitlane: feed queue, batches"
	pollSingle   = "pitlane: feed poll"
	bareForward  = "bare: Poll and Produce"
	queueForward = "pitlane: forward, feed queue"
	pollForward  = "pitlane: forward, feed poll"
)

func noopLoops() []string {
	return []string{barePoll, bareQueues, queueSingle, queueBatch, pollSingle}
}

func forwardLoops() []string { return []string{bareForward, queueForward, pollForward} }

// runLoop is the process of one loop.
func runLoop(text string, out io.Writer) (err error) {
	var do task
	if err := json.Unmarshal([]byte(text), &do); err != nil {
		return fmt.Errorf("read task: %w", err)
	}
	if do.Profile != "" {
		f, err := os.Create(do.Profile)
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // a profile that is cut short is seen when it is read
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	m := newMeter(do)
	switch do.Loop {
	case barePoll:
		err = poll(m)
	case bareQueues:
		err = queues(m)
	case queueSingle, queueBatch, pollSingle:
		err = noop(m)
	case bareForward:
		err = pollAndProduce(m)
	case queueForward, pollForward:
		err = forward(m)
	default:
		err = fmt.Errorf("no such loop: %q", do.Loop)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(m.result())
}
