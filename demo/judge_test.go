package demo

import (
	"errors"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/examples/earthquakes/data"
	"github.com/pitlane-go/pitlane/kafkatest"
)

// history is a run of three earthquakes, of which the second is an alert; steps
// change it before it is judged.
func history(t *testing.T, outcomes [3]kafkatest.Outcome, alerts int) *kafkatest.Report {
	t.Helper()
	h := kafkatest.NewHistory()
	l := newLedger(h)
	ids := []string{"a-1", "b-1", "c-1"}
	for i, id := range ids {
		f := data.Feature{Network: "us", Magnitude: []float64{1, 4.5, 4.4}[i]}
		l.acknowledged(id, f, kafkatest.Position{Topic: inputTopic, Offset: int64(i)})
	}
	h.Assigned("m", 1, inputTopic, 0)
	for i := range ids {
		r := kafkatest.Run{Member: "m", Epoch: 1, Input: kafkatest.Position{Topic: inputTopic, Offset: int64(i)}, Attempt: 1}
		h.Start(r)
		h.End(r, outcomes[i])
	}
	var back []alert
	for i := range alerts {
		back = append(back, alert{kafkatest.Position{Topic: alertTopic, Offset: int64(i)}, []byte(`{"id":"b-1"}`)})
	}
	if err := outputs(h, back, l.number); err != nil {
		t.Fatal(err)
	}
	h.Committed(kafkatest.Commit{Group: group, Position: kafkatest.Position{Topic: inputTopic, Offset: 3}, LogPosition: 1})
	return judge(h, l.expected, true)
}

func TestAGoodRunIsFoundGood(t *testing.T) {
	r := history(t, [3]kafkatest.Outcome{kafkatest.OutcomeOK, kafkatest.OutcomeOK, kafkatest.OutcomeOK}, 1)
	if err := verdict(r); err != nil || !strings.HasPrefix(r.String(), "lost=0 out_of_order=0 duplicates=0") {
		t.Errorf("report %s, error %v", r, err)
	}
}

func TestALostEarthquakeIsFound(t *testing.T) {
	r := history(t, [3]kafkatest.Outcome{kafkatest.OutcomeOK, kafkatest.OutcomeOK, kafkatest.OutcomeFailed}, 1)
	bad, ok := errors.AsType[*VerdictError](verdict(r))
	if !ok || r.Count(kafkatest.NameLost) != 1 || bad.Report != r {
		t.Errorf("report %s, error %v", r, bad)
	}
}

func TestAnAlertThatDidNotArriveIsFound(t *testing.T) {
	r := history(t, [3]kafkatest.Outcome{kafkatest.OutcomeOK, kafkatest.OutcomeOK, kafkatest.OutcomeOK}, 0)
	if verdict(r) == nil || r.Count(kafkatest.NameLost) != 1 {
		t.Errorf("report %s", r)
	}
}

func TestDuplicatesAreCounted(t *testing.T) {
	r := history(t, [3]kafkatest.Outcome{kafkatest.OutcomeOK, kafkatest.OutcomeOK, kafkatest.OutcomeOK}, 3)
	if r.Duplicates != 2 {
		t.Errorf("report %s, want 2 duplicates", r)
	}
}

func TestAnAlertThatIsNoJSONIsAnError(t *testing.T) {
	if err := outputs(kafkatest.NewHistory(), []alert{{value: []byte("x")}}, nil); err == nil {
		t.Error("no error")
	}
}
