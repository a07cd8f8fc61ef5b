package tally_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/pitlane-go/pitlane/examples/batch/tally"
	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/processor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func views(pages ...string) []*processor.Message {
	values := make([]string, len(pages))
	for i, page := range pages {
		values[i] = fmt.Sprintf(`{"page":%q,"visitor":"v%d"}`, page, i)
	}
	return kafkatest.NewMessages("views", values...)
}

func counts(t *testing.T, sent []kafkatest.SentRecord) []string {
	t.Helper()
	var out []string
	for _, r := range sent {
		var c tally.Count
		if err := json.Unmarshal(r.Value, &c); err != nil || r.Topic != "page-counts" || string(r.Key) != c.Page {
			t.Fatalf("record %s %s %s: %v", r.Topic, r.Key, r.Value, err)
		}
		out = append(out, fmt.Sprintf("%s=%d offsets %d-%d sent by %d", c.Page, c.Views, c.First, c.Last, r.Index))
	}
	return out
}

func TestABatchBecomesOneCountPerPage(t *testing.T) {
	var rec kafkatest.Recorder
	r := rec.ProcessBatch(t.Context(), tally.New(), views("home", "shop", "home", "home", "shop")...)
	if r.Err != nil || r.Settled != 5 {
		t.Fatalf("settled %d, error %v", r.Settled, r.Err)
	}
	want := []string{"home=3 offsets 0-3 sent by 3", "shop=2 offsets 1-4 sent by 4"}
	if got := counts(t, r.Sent); !slices.Equal(got, want) {
		t.Errorf("counts %q, want %q", got, want)
	}
}

func TestABadViewHoldsUpOnlyWhatFollows(t *testing.T) {
	for name, bad := range map[string]string{"no JSON": "no JSON", "no page": `{"visitor":"v"}`} {
		var rec kafkatest.Recorder
		batch := views("home", "shop", "", "home")
		batch[2].Value = []byte(bad)
		r := rec.ProcessBatch(t.Context(), tally.New(), batch...)
		if r.Settled != 2 || r.Class != processor.ClassPermanent {
			t.Errorf("%s: settled %d, class %v, error %v; want 2, permanent", name, r.Settled, r.Class, r.Err)
		}
		want := []string{"home=1 offsets 0-0 sent by 0", "shop=1 offsets 1-1 sent by 1"}
		if got := counts(t, r.Sent); !slices.Equal(got, want) {
			t.Errorf("%s: counts %q, want %q", name, got, want)
		}
	}
}

func TestACountThatIsNotAcknowledgedDoesNotSettle(t *testing.T) {
	errDown := errors.New("no broker")
	var rec kafkatest.Recorder
	rec.FailSend(1, errDown)
	if r := rec.ProcessBatch(t.Context(), tally.New(), views("home")...); r.Settled != 0 || !errors.Is(r.Err, errDown) {
		t.Errorf("settled %d, error %v", r.Settled, r.Err)
	}
	// Beside a bad view the failed send is what counts: the view is not at fault.
	batch := views("home", "")
	rec.FailSend(2, errDown)
	if r := rec.ProcessBatch(t.Context(), tally.New(), batch...); r.Settled != 0 || r.Class != processor.ClassTransient {
		t.Errorf("settled %d, class %v", r.Settled, r.Class)
	}
}

func TestTheTopicIsConfigured(t *testing.T) {
	p := tally.New()
	p.Config().(*tally.Config).Topic = "elsewhere"
	var rec kafkatest.Recorder
	rec.ProcessBatch(t.Context(), p, views("home")...)
	if sent := rec.Sent(); len(sent) != 1 || sent[0].Topic != "elsewhere" {
		t.Errorf("sent %v", sent)
	}
}
