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

// judge has the whole history checked. The processor filters, so a message is lost
// when its offset was committed and it was not settled. complete says that the
// runner had caught up with the stream when it was stopped.
func judge(h *kafkatest.History, complete bool) *kafkatest.Report {
	return kafkatest.Check(h, kafkatest.Options{Filter: true, Group: group, Incomplete: !complete})
}

// verdict is the error that the report deserves, or nil.
func verdict(r *kafkatest.Report) error {
	if r.Err() != nil {
		return &VerdictError{r}
	}
	return nil
}
