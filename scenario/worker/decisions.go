package main

import (
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/kafkatest"
)

// decided notes what only the runner knows, among the runs and in their order: the
// log has whole milliseconds, and not every line.
func (w *worker) decided(_ time.Time, e event.Event) {
	switch e := e.(type) {
	case event.DeliveryRewound:
		w.journal.Failed(kafkatest.Failure{Member: w.set.Name, Input: position(e.Source, e.Offset), Reason: e.Cause.Error()})
	case event.UnitSkipped:
		for i := range int64(e.Messages) { // the inputs of the scenarios have no gaps
			w.journal.Skipped(w.set.Name, position(e.Source, e.Offset+i), e.Cause.Error())
		}
	}
}

func position(s event.Source, offset int64) kafkatest.Position {
	return kafkatest.Position{Topic: s.Partition.Topic, Partition: s.Partition.Partition, Offset: offset}
}
