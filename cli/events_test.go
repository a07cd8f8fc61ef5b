package cli_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/config"
	"github.com/pitlane-go/pitlane/event"
)

// The log leaves out what repeats within a second; a program's own sink does not.
func TestASinkOfTheProgramGetsEveryEventBesideTheLog(t *testing.T) {
	var got []event.Event
	var stderr strings.Builder
	args := command("run", append(minimal()[:6], "--processor", "{topic: here}")...)
	at := time.Now()
	code := cli.Run(t.Context(), cli.Program{Name: "own", Args: args, Stdout: &stderr, Stderr: &stderr},
		cli.ForProcessor(&copier{}),
		cli.WithEvents(func(when time.Time, e event.Event) {
			if !when.Equal(at) {
				t.Errorf("at %v, want %v", when, at)
			}
			got = append(got, e)
		}),
		cli.WithEngine(func(c *config.Config) cli.Engine {
			return cli.EngineFunc(func(context.Context) error {
				for offset := range int64(3) {
					c.Runner.Events(at, event.DeliveryRewound{Offset: offset})
				}
				return nil
			})
		}))
	if code != 0 || len(got) != 3 {
		t.Errorf("exit code %d, %d events, want 3: %s", code, len(got), stderr.String())
	}
	if n := strings.Count(stderr.String(), "delivery rewound"); n != 1 {
		t.Errorf("%d lines in the log, want 1: %s", n, stderr.String())
	}
}
