package demo

import (
	"encoding/json"
	"fmt"

	"github.com/pitlane-go/pitlane/examples/earthquakes/quake"
	"github.com/pitlane-go/pitlane/kafkatest"
)

// alert is a record as it was read back from the alerts topic.
type alert struct {
	at    kafkatest.Position
	value []byte
}

// outputs notes the alerts in the history.
func outputs(h *kafkatest.History, alerts []alert, number func(id string) int64) error {
	for _, a := range alerts {
		var content quake.Alert
		if err := json.Unmarshal(a.value, &content); err != nil {
			return fmt.Errorf("read back alert at %s: %w", a.at, err)
		}
		h.Output(kafkatest.Output{ID: number(content.ID), At: a.at})
	}
	return nil
}

// judge has the whole history checked. The checker can only guess what a processor
// that filters should have sent; the demo knows. So a run that rightly sent nothing
// is told as a decision to pass over the message, and every other message must have
// its alert. complete says that the runner had caught up with the stream when it was
// stopped.
func judge(h *kafkatest.History, expected func(kafkatest.Position) bool, complete bool) *kafkatest.Report {
	told := kafkatest.NewHistory()
	h.Events(func(e kafkatest.Event) bool {
		if e.Kind == kafkatest.KindEnd && e.Outcome == kafkatest.OutcomeOK && !expected(e.Input) {
			e.Outcome = kafkatest.OutcomeSkipped
		}
		told.Add(e)
		return true
	})
	return kafkatest.Check(told, kafkatest.Options{Group: group, Incomplete: !complete})
}

// verdict is the error that the report deserves, or nil.
func verdict(r *kafkatest.Report) error {
	if r.Err() != nil {
		return &VerdictError{r}
	}
	return nil
}
