// Package data carries one week of earthquakes, for examples, the demo and tests.
// README.md beside it names the source.
package data

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

//go:embed earthquakes.json.gz
var compressed []byte

// Feature is one earthquake.
type Feature struct {
	// ID is unique in the week: "ci37868143".
	ID string
	// Network is the seismic network that reported it: "ci".
	Network string
	// Time is when the ground moved, Magnitude how much.
	Time      time.Time
	Magnitude float64
	// JSON is the GeoJSON feature as it was published.
	JSON json.RawMessage
}

// Features returns the week, oldest first: 1,707 features of 12 networks.
func Features() ([]Feature, error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, fmt.Errorf("read earthquakes: %w", err)
	}
	var week struct{ Features []json.RawMessage }
	if err := json.NewDecoder(r).Decode(&week); err != nil {
		return nil, fmt.Errorf("read earthquakes: %w", err)
	}
	out := make([]Feature, len(week.Features))
	for i, raw := range week.Features {
		var f struct {
			ID         string
			Properties struct {
				Mag  float64
				Net  string
				Time int64
			}
		}
		if err := json.Unmarshal(raw, &f); err != nil {
			return nil, fmt.Errorf("read earthquake %d: %w", i, err)
		}
		p := f.Properties
		out[i] = Feature{ID: f.ID, Network: p.Net, Time: time.UnixMilli(p.Time).UTC(), Magnitude: p.Mag, JSON: raw}
	}
	slices.SortStableFunc(out, func(a, b Feature) int { return a.Time.Compare(b.Time) })
	return out, nil
}
