package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/examples/earthquakes/data"
	"github.com/pitlane-go/pitlane/examples/earthquakes/quake"
	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/embedded"
)

// What the stream says it sent is what the broker has: ids, keys and positions, also
// in the second round of the week.
func TestTheStreamTellsWhatTheBrokerHas(t *testing.T) {
	broker := embedded.Start(t, embedded.Config{Topics: map[string]int{inputTopic: 3}})
	const many = 2000 // more than the 1,707 of a week
	var mu sync.Mutex
	told := map[string]string{}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := newStream(broker.Bootstrap(), 5000, func(id string, f data.Feature, at kafkatest.Position) {
		mu.Lock()
		defer mu.Unlock()
		if told[at.String()] = id + " " + f.Network; len(told) >= many {
			cancel()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.run(ctx); err != nil {
		t.Fatal(err)
	}
	records, err := broker.ReadAll(t.Context(), inputTopic)
	if err != nil {
		t.Fatal(err)
	}
	got, ids := map[string]string{}, map[string]bool{}
	for _, r := range records {
		var f quake.Feature
		if err := json.Unmarshal(r.Value, &f); err != nil || f.Properties.Net != string(r.Key) {
			t.Fatalf("record %s: %s: %v", r.Key, r.Value, err)
		}
		got[fmt.Sprintf("%s/%d@%d", r.Topic, r.Partition, r.Offset)] = f.ID + " " + string(r.Key)
		ids[f.ID] = true
	}
	if len(told) < many || !maps.Equal(got, told) || len(ids) != len(told) {
		t.Errorf("%d told, %d read back, %d different ids", len(told), len(got), len(ids))
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(ids)), func(id string) bool { return id[len(id)-2:] == "-2" }) {
		t.Error("the second round did not start")
	}
}

func TestTheStreamGivesUpWhenTheBrokerIsGone(t *testing.T) {
	broker := embedded.Start(t, embedded.Config{Topics: map[string]int{inputTopic: 1}})
	s, err := newStream(broker.Bootstrap(), 1000, nil)
	if err != nil {
		t.Fatal(err)
	}
	broker.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := s.run(ctx); err == nil {
		t.Error("no error")
	}
}
