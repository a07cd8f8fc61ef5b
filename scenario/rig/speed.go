package rig

import (
	"slices"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
)

// RunsOf returns the starts of the processor on one message, in order.
func (p *Process) RunsOf(id int64) []kafkatest.Event {
	p.rig.t.Helper()
	var out []kafkatest.Event
	p.events(func(e kafkatest.Event) {
		if e.Kind == kafkatest.KindStart && e.ID == id {
			out = append(out, e)
		}
	})
	return out
}

// Speed returns how many messages per second a process has finished on the
// partitions, each from its first start to its last end, and all added.
func (p *Process) Speed(partitions ...int32) float64 {
	p.rig.t.Helper()
	first, last := map[int32]time.Time{}, map[int32]time.Time{}
	done := map[int32]int{}
	p.events(func(e kafkatest.Event) {
		at := e.Input.Partition
		switch {
		case e.Kind == kafkatest.KindStart && first[at].IsZero():
			first[at] = e.At
		case e.Kind == kafkatest.KindEnd && e.Outcome == kafkatest.OutcomeOK:
			last[at] = e.At
			done[at]++
		}
	})
	var sum float64
	for at, n := range done {
		if slices.Contains(partitions, at) {
			sum += float64(n) / last[at].Sub(first[at]).Seconds()
		}
	}
	return sum
}

func (p *Process) events(f func(kafkatest.Event)) {
	p.rig.t.Helper()
	h, err := kafkatest.ReadFiles(p.Journal)
	if err != nil {
		p.rig.t.Fatal(err)
	}
	h.Events(func(e kafkatest.Event) bool {
		f(e)
		return true
	})
}
