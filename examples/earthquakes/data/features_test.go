package data_test

import (
	"testing"

	"github.com/pitlane-go/pitlane/examples/earthquakes/data"
)

func TestFeaturesAreTheWholeWeekInOrder(t *testing.T) {
	features, err := data.Features()
	if err != nil {
		t.Fatal(err)
	}
	if len(features) != 1707 {
		t.Fatalf("%d features, want 1707", len(features))
	}
	ids, networks, strong := map[string]bool{}, map[string]bool{}, 0
	for i, f := range features {
		ids[f.ID], networks[f.Network] = true, true
		if f.Magnitude >= 4.5 {
			strong++
		}
		if i > 0 && f.Time.Before(features[i-1].Time) {
			t.Fatalf("feature %d is older than the one before", i)
		}
	}
	if len(ids) != 1707 || len(networks) != 12 || strong != 85 {
		t.Errorf("%d ids, %d networks, %d of magnitude 4.5 and above; want 1707, 12, 85", len(ids), len(networks), strong)
	}
}
