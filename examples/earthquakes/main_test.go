package main

import (
	"maps"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/examples/earthquakes/data"
	"github.com/pitlane-go/pitlane/examples/internal/program"
	"github.com/pitlane-go/pitlane/kafkatest/embedded"
)

func TestMain(m *testing.M) { program.Main(m, main) }

func TestTheExampleForwardsAWeekOfEarthquakesAndStopsInOrder(t *testing.T) {
	broker := embedded.Start(t, embedded.Config{Topics: map[string]int{"earthquakes": 6, "alerts": 1}})
	features, err := data.Features()
	if err != nil {
		t.Fatal(err)
	}
	records := make([]*embedded.Record, len(features))
	want := map[int32]int64{}
	for i, f := range features {
		records[i] = &embedded.Record{Partition: embedded.ByKey, Key: []byte(f.Network), Value: f.JSON}
	}
	if err := broker.Produce(t.Context(), "earthquakes", records...); err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		want[r.Partition] = r.Offset + 1
	}

	p := program.Start(t, "run", "--config", "earthquakes.yaml", "--brokers", broker.Bootstrap(), "--processor", "{min_magnitude: 5.0}")
	strong := 0
	for _, f := range features {
		if f.Magnitude >= 5.0 {
			strong++
		}
	}
	alerts := p.Await(t, broker.Bootstrap(), "alerts", strong)
	if len(alerts) != strong || string(alerts[0].Key) != "us" {
		t.Errorf("%d alerts, key %q; want %d, us", len(alerts), alerts[0].Key, strong)
	}
	p.Line(t, "alerting")
	again, limit := time.NewTicker(20*time.Millisecond), time.After(time.Minute)
	defer again.Stop()
	for !maps.Equal(committed(broker), want) {
		select {
		case <-again.C:
		case <-limit:
			t.Fatalf("committed %v, want %v", committed(broker), want)
		}
	}
	if code := p.Stop(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if got := committed(broker); !maps.Equal(got, want) {
		t.Errorf("committed %v after the stop, want %v", got, want)
	}
}

// committed is the last commit of each partition that is not its start.
func committed(broker *embedded.Broker) map[int32]int64 {
	out := map[int32]int64{}
	for _, c := range broker.Commits() {
		if c.Position.Offset > 0 {
			out[c.Position.Partition] = c.Position.Offset
		}
	}
	return out
}

func TestTheExampleRefusesASettingThatItDoesNotHave(t *testing.T) {
	p := program.Start(t, "run", "--config", "earthquakes.yaml", "--processor", "{min_magnitud: 5.0}")
	p.Line(t, "min_magnitud")
	if code := p.Wait(); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
}
