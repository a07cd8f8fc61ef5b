package delivery_test

import (
	"errors"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/delivery"
)

func TestPropertiesThatBreakAPromiseAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value string
		refused     bool
	}{
		{"acks", "1", true},
		{"acks", "0", true},
		{"acks", "all", false},
		{"acks", "-1", false},
		{"request.required.acks", "1", true},
		{"enable.idempotence", "false", true},
		{"enable.idempotence", "0", true},
		{"enable.idempotence", "True", false},
		{"message.timeout.ms", "59999", true},
		{"message.timeout.ms", "0", true},
		{"message.timeout.ms", "60000", false},
		{"delivery.timeout.ms", "30000", true},
		{"message.timeout.ms", "long", false},
		{"transactional.id", "t", true},
		{"metadata.recovery.strategy", "none", true},
		{"metadata.recovery.strategy", "rebootstrap", false},
		{"enable.gapless.guarantee", "true", true},
		{"enable.gapless.guarantee", "false", false},
		{"delivery.report.only.error", "true", true},
		{"go.batch.producer", "true", true},
		{"go.delivery.reports", "false", true},
		{"go.events.channel.size", "10", true},
		{"go.logs.channel.enable", "true", true},
		{"linger.ms", "50", false},
		{"compression.type", "zstd", false},
		{"no.such.property", "1", false},
	} {
		err := delivery.CheckProperty(c.name, c.value)
		refused, ok := errors.AsType[*delivery.RefusedError](err)
		if ok != c.refused {
			t.Errorf("%s=%s: %v", c.name, c.value, err)
		}
		if ok && (refused.Property != c.name || refused.Value != c.value || refused.Reason == "") {
			t.Errorf("%s=%s: %+v", c.name, c.value, refused)
		}
	}
}

func TestEveryRefusalHasARuleAndAReason(t *testing.T) {
	t.Parallel()
	for _, r := range delivery.Refused() {
		if r.Name == "" || r.Rule == "" || r.Reason == "" {
			t.Errorf("%+v", r)
		}
	}
}

func TestTheUsersPropertiesGoOverTheDefaults(t *testing.T) {
	t.Parallel()
	got := delivery.Properties(delivery.Config{
		Timeout:        90 * time.Second,
		BufferMaxBytes: 128 << 20,
		Properties: map[string]string{
			"bootstrap.servers":      "a:9092",
			"queue.buffering.max.ms": "20", // an alias of linger.ms
			"delivery.timeout.ms":    "70000",
			"compression.codec":      "lz4",
			"acks":                   "1", // refused
		},
	})
	for name, want := range map[string]string{
		"bootstrap.servers":          "a:9092",
		"linger.ms":                  "20",
		"queue.buffering.max.ms":     "",
		"message.timeout.ms":         "70000",
		"delivery.timeout.ms":        "",
		"compression.type":           "lz4",
		"acks":                       "all",
		"enable.idempotence":         "true",
		"queue.buffering.max.kbytes": "32768",
		"partitioner":                "murmur2_random",
		"metadata.recovery.strategy": "rebootstrap",
		"request.timeout.ms":         "8000",
		"statistics.interval.ms":     "5000",
		"go.delivery.report.fields":  "none",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}

func TestTheQueueHoldsTheLargestRecord(t *testing.T) {
	t.Parallel()
	got := delivery.Properties(delivery.Config{BufferMaxBytes: 1 << 20, Properties: map[string]string{"message.max.bytes": "5000000"}})
	if got["queue.buffering.max.kbytes"] != "4883" {
		t.Errorf("queue of %s KiB for records of 5,000,000 bytes", got["queue.buffering.max.kbytes"])
	}
}

func TestNewNamesEveryProblemOfTheConfiguration(t *testing.T) {
	t.Parallel()
	_, err := delivery.New(delivery.Config{
		Timeout:    time.Second,
		Properties: map[string]string{"acks": "0", "queue.buffering.max.kbytes": "9999999"},
	})
	if err == nil {
		t.Fatal("a bad configuration was taken")
	}
	for _, word := range []string{"timeout", "acks", "bootstrap.servers", "buffer.max_bytes"} {
		if !contains(err, word) {
			t.Errorf("%q is not named in: %v", word, err)
		}
	}
	_, err = delivery.New(delivery.Config{Properties: map[string]string{"bootstrap.servers": "a:9092", "queue.buffering.max.kbytes": "10"}})
	if !contains(err, "would wait for ever") {
		t.Errorf("a queue below one record: %v", err)
	}
	_, err = delivery.New(delivery.Config{Properties: map[string]string{"bootstrap.servers": "a:9092", "no.such.property": "1"}})
	if !contains(err, "no.such.property") {
		t.Errorf("an unknown property: %v", err)
	}
}
