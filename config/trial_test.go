package config_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/config"
)

// picky is a client that refuses what is named "bad", and two names together.
func picky(properties map[string]string) error {
	for name, value := range properties {
		if strings.Contains(name, "bad") {
			return errors.New("no such property: " + name + "=" + value)
		}
	}
	if properties["left"] != "" && properties["right"] != "" {
		return errors.New("left and right exclude each other")
	}
	return nil
}

func TestPropertiesThatTheClientRefusesHaveTheirPlaces(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"none": {"client: {left: 1}\nconsumer: {one: 1}\n", nil},
		"two, in two roles": {
			"client: {bad.a: 1, good: 2}\nproducer: {linger.ms: 1, bad.b: 3}\n",
			[]string{":4:17: client.bad.a: the client refuses it: no such property: bad.a=1", ":5:33: producer.bad.b: the client refuses it: no such property: bad.b=3"},
		},
		"a secret": {"client: {bad.password: hunter2}\n", []string{":4:24: client.bad.password: the client refuses it"}},
		"together": {"client: {left: 1}\nconsumer: {right: 1}\n", []string{"consumer: the client refuses these settings together: left and right exclude each other"}},
		"noisy":    {"client: {debug: bad}\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := load(t, minimal+test.text, config.Sources{}).TryProperties(picky)
			if len(test.want) == 0 {
				if err != nil {
					t.Error(err)
				}
				return
			}
			found, ok := errors.AsType[*config.Error](err)
			if !ok || len(found.Problems) != len(test.want) || strings.Contains(err.Error(), "hunter2") {
				t.Fatalf("got %v", err)
			}
			for i, want := range test.want {
				if got := found.Problems[i].String(); !strings.HasSuffix(got, want) {
					t.Errorf("got %q, want it to end with %q", got, want)
				}
			}
		})
	}
}

func TestNoPropertiesNeedNoTrial(t *testing.T) {
	t.Parallel()
	err := load(t, minimal, config.Sources{}).TryProperties(func(p map[string]string) error { return errors.New("tried") })
	if err != nil {
		t.Error(err)
	}
}

func TestPropertiesOfARoleAreTriedWithThoseOfAll(t *testing.T) {
	t.Parallel()
	var got []map[string]string
	c := load(t, minimal+"client: {a: 1, b: 1}\nproducer: {b: 2}\n", config.Sources{})
	err := c.TryProperties(func(p map[string]string) error { got = append(got, maps.Clone(p)); return nil })
	if err != nil || len(got) != 2 || !maps.Equal(got[1], map[string]string{"a": "1", "b": "2"}) {
		t.Errorf("tried %v (%v)", got, err)
	}
}
