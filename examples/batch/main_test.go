package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/pitlane-go/pitlane/examples/batch/tally"
	"github.com/pitlane-go/pitlane/examples/internal/program"
	"github.com/pitlane-go/pitlane/kafkatest/embedded"
)

func TestMain(m *testing.M) { program.Main(m, main) }

// A view that cannot be read is skipped, as batch.yaml says, and no other view is.
func TestTheExampleCountsEveryViewThatCanBeRead(t *testing.T) {
	broker := embedded.Start(t, embedded.Config{Topics: map[string]int{"views": 1, "page-counts": 1}})
	var records []*embedded.Record
	want := map[string]int{}
	for i := range 300 {
		page := []string{"home", "shop", "help"}[i%3]
		value := fmt.Sprintf(`{"page":%q}`, page)
		if i == 150 || i == 151 {
			value = "no view"
		} else {
			want[page]++
		}
		records = append(records, &embedded.Record{Value: []byte(value)})
	}
	// The last view has a page of its own: when it is counted, all are.
	records = append(records, &embedded.Record{Value: []byte(`{"page":"end"}`)})
	want["end"]++
	if err := broker.Produce(t.Context(), "views", records...); err != nil {
		t.Fatal(err)
	}
	p := program.Start(t, "run", "--config", "batch.yaml", "--brokers", broker.Bootstrap(), "--pause.initial", "10ms")
	got := map[string]int{}
	for n := 1; got["end"] == 0; n++ {
		clear(got)
		for _, r := range p.Await(t, broker.Bootstrap(), "page-counts", n) {
			var c tally.Count
			if err := json.Unmarshal(r.Value, &c); err != nil {
				t.Fatal(err)
			}
			got[c.Page] += c.Views
		}
	}
	if code := p.Stop(t); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	if !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
}
