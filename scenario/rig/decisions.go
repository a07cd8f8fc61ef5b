package rig

import (
	"os"

	"github.com/pitlane-go/pitlane/kafkatest"
)

// journaled tells whether the process has kept a journal. The stock processors do
// not, nor does one that was ended before its start was over.
func (p *Process) journaled() bool {
	_, err := os.Stat(p.Journal)
	return err == nil
}

// decisions tells what the process cannot have written into a journal: its end when
// it was killed, and without a journal what its log says of failed deliveries and
// skipped messages. Each process has a history of its own, since Merge keeps the
// order inside of one.
func (p *Process) decisions() *kafkatest.History {
	h := kafkatest.NewHistory()
	if !p.journaled() {
		for _, l := range p.Log() {
			p.decision(h, l)
		}
	}
	select {
	case <-p.done:
		if p.code != 0 {
			h.Add(kafkatest.Event{Kind: kafkatest.KindKilled, At: p.waitAt, Member: p.Name})
		}
	default:
	}
	return h
}

func (p *Process) decision(h *kafkatest.History, l Line) {
	e := kafkatest.Event{
		At: l.Time, Member: p.Name, Reason: l.String("error"),
		Input: kafkatest.Position{Topic: l.String("topic"), Partition: int32(l.Int("partition")), Offset: l.Int("offset")},
	}
	switch l.Message {
	case "delivery rewound":
		e.Kind = kafkatest.KindFailed
		h.Add(e)
	case "unit skipped":
		e.Kind = kafkatest.KindSkipped
		for range l.Int("messages") {
			h.Add(e)
			e.Input.Offset++ // the input of a rig has no gaps
		}
	}
}
