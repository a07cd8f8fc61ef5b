package quake_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pitlane-go/pitlane/examples/earthquakes/data"
	"github.com/pitlane-go/pitlane/examples/earthquakes/quake"
	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/processor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func feature(mag string) *processor.Message {
	return kafkatest.NewMessage("earthquakes",
		`{"id":"us1000","properties":{"mag":`+mag+`,"place":"91km NE of Tadine","time":1517966773840,"net":"us"}}`,
		kafkatest.Key("us"))
}

func TestStrongEarthquakesBecomeAlerts(t *testing.T) {
	for mag, alerts := range map[string]int{"4.5": 1, "6.4": 1, "4.49": 0, "-0.8": 0, "null": 0} {
		var rec kafkatest.Recorder
		if err := rec.Process(t.Context(), quake.New(), feature(mag)).Err(); err != nil {
			t.Errorf("magnitude %s: %v", mag, err)
		}
		if len(rec.Sent()) != alerts {
			t.Errorf("magnitude %s: %d alerts, want %d", mag, len(rec.Sent()), alerts)
		}
	}
}

func TestAnAlertHasTheKeyAndSaysWhatWhereAndWhen(t *testing.T) {
	var rec kafkatest.Recorder
	rec.Process(t.Context(), quake.New(), feature("6.1"))
	sent := rec.Sent()
	if len(sent) != 1 {
		t.Fatalf("%d alerts, want 1", len(sent))
	}
	if sent[0].Topic != "alerts" || string(sent[0].Key) != "us" {
		t.Errorf("alert to %q with key %q", sent[0].Topic, sent[0].Key)
	}
	var got quake.Alert
	if err := json.Unmarshal(sent[0].Value, &got); err != nil {
		t.Fatal(err)
	}
	want := quake.Alert{ID: "us1000", Place: "91km NE of Tadine", Mag: 6.1, Time: time.UnixMilli(1517966773840).UTC()}
	if got != want {
		t.Errorf("alert %+v, want %+v", got, want)
	}
}

func TestTheWholeWeekHas85Alerts(t *testing.T) {
	features, err := data.Features()
	if err != nil {
		t.Fatal(err)
	}
	var messages []*processor.Message
	for i, f := range features {
		messages = append(messages, kafkatest.NewMessage("earthquakes", f.JSON, kafkatest.Key(f.Network), kafkatest.At(0, int64(i))))
	}
	var rec kafkatest.Recorder
	results := rec.Process(t.Context(), quake.New(), messages...)
	if err := results.Err(); err != nil || results.Settled() != 1707 || len(rec.Sent()) != 85 {
		t.Errorf("%d settled, %d alerts, error %v; want 1707, 85, none", results.Settled(), len(rec.Sent()), err)
	}
}

func TestWhatIsNoFeatureIsPermanent(t *testing.T) {
	var rec kafkatest.Recorder
	for _, m := range []*processor.Message{kafkatest.NewMessage("earthquakes", "no JSON"), kafkatest.Tombstone("earthquakes")} {
		if r := rec.Process(t.Context(), quake.New(), m)[0]; r.Class != processor.ClassPermanent || r.Settled {
			t.Errorf("class %v, settled %v, error %v", r.Class, r.Settled, r.Err)
		}
	}
}

func TestAnAlertThatIsNotAcknowledgedDoesNotSettle(t *testing.T) {
	errDown := errors.New("no broker")
	var rec kafkatest.Recorder
	rec.FailTopic("alerts", errDown)
	if r := rec.Process(t.Context(), quake.New(), feature("5"))[0]; r.Settled || !errors.Is(r.Err, errDown) {
		t.Errorf("settled %v, error %v", r.Settled, r.Err)
	}
}

func TestTheConfigurationIsUsed(t *testing.T) {
	p := quake.New()
	hooks := processor.Hooks(p)
	cfg, ok := hooks.Configs()[0].(*quake.Config)
	if !ok {
		t.Fatalf("configs %v", hooks.Configs())
	}
	cfg.MinMagnitude = 2
	cfg.Topic = ""
	env := processor.Env{Logger: slog.New(slog.DiscardHandler)}
	if err := hooks.Setup(t.Context(), env); err == nil {
		t.Error("an empty topic was accepted")
	}
	cfg.Topic = "tremors"
	if err := hooks.Setup(t.Context(), env); err != nil {
		t.Error(err)
	}
	var rec kafkatest.Recorder
	rec.Process(t.Context(), p, feature("2.5"))
	if sent := rec.Sent(); len(sent) != 1 || sent[0].Topic != "tremors" {
		t.Errorf("sent %v", sent)
	}
}
