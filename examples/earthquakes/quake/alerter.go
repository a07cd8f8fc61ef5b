// Package quake is a processor: it reads earthquakes as GeoJSON features and
// forwards the strong ones as alerts.
package quake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

// Feature is what the processor reads of a GeoJSON feature of the USGS. The
// message's key is the network that reported it, properties.net.
type Feature struct {
	ID         string `json:"id"`
	Properties struct {
		// Mag is null for some events that are not earthquakes.
		Mag   *float64 `json:"mag"`
		Place string   `json:"place"`
		// Time is in milliseconds since 1970.
		Time int64  `json:"time"`
		Net  string `json:"net"`
	} `json:"properties"`
}

// Alert is what it writes, as JSON, under the same key.
type Alert struct {
	ID    string    `json:"id"`
	Place string    `json:"place"`
	Mag   float64   `json:"mag"`
	Time  time.Time `json:"time"`
}

// The defaults of Config.
const (
	TopicDefault        = "alerts"
	MinMagnitudeDefault = 4.5
)

// Config is the processor block of the configuration.
type Config struct {
	// Topic takes the alerts. Default: alerts.
	Topic string `yaml:"topic"`
	// MinMagnitude is the magnitude from which an earthquake is an alert.
	// Default: 4.5.
	MinMagnitude float64 `yaml:"min_magnitude"`
}

// Alerter is the processor's state. It does not change after Setup, so all
// partitions may use it at the same time.
type Alerter struct{ cfg Config }

// New returns the processor. JSON decodes the features for it; what cannot be
// decoded never can be, so that is a permanent failure.
func New() processor.Processor {
	a := &Alerter{cfg: Config{Topic: TopicDefault, MinMagnitude: MinMagnitudeDefault}}
	return processor.JSON(a.Alert, processor.WithHooks(a))
}

// Config implements processor.Configurer: the block is decoded into it, over the
// defaults.
func (a *Alerter) Config() any { return &a.cfg }

// Setup implements processor.Setuper.
func (a *Alerter) Setup(_ context.Context, env processor.Env) error {
	if a.cfg.Topic == "" {
		return errors.New("processor.topic: must not be empty")
	}
	env.Logger.Info("alerting", slog.String("topic", a.cfg.Topic), slog.Float64("min_magnitude", a.cfg.MinMagnitude))
	return nil
}

// Alert forwards the feature if it is strong enough. The message is settled when
// the alert has been acknowledged by the brokers.
func (a *Alerter) Alert(ctx context.Context, m *processor.Message, f *Feature) error {
	p := &f.Properties
	if p.Mag == nil || *p.Mag < a.cfg.MinMagnitude {
		return nil
	}
	value, err := json.Marshal(Alert{ID: f.ID, Place: p.Place, Mag: *p.Mag, Time: time.UnixMilli(p.Time).UTC()})
	if err != nil {
		return processor.DeadLetter(fmt.Errorf("encode alert %s: %w", f.ID, err))
	}
	return m.Send(ctx, processor.Record{Topic: a.cfg.Topic, Key: m.Key, Value: value})
}
