package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/config"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// unknown is an event of a type that the log does not know.
type unknown struct{}

func (unknown) Name() string { return "something new" }

func at() time.Time { return time.Date(2026, 5, 4, 3, 2, 1, 123_000_000, time.UTC) }

func everyEvent() []event.Event {
	s := event.Source{Member: "pitlane-0", Partition: processor.Partition{Topic: "uploads", Partition: 3}, Epoch: 7}
	broken := errors.New("broken")
	return []event.Event{
		event.PartitionAssigned{Source: s, Offset: 42, From: "committed"},
		event.PartitionRevoked{Source: s, Position: 50, Drained: true, Waited: time.Second},
		event.PartitionRevoked{Source: s, Position: 50, Waited: 5 * time.Second},
		event.PartitionLost{Source: s, Reason: "unknown member"},
		event.HoldStarted{Source: s, Reason: "retry", Until: at().Add(time.Second), Offset: 42, Attempt: 2, Cause: broken},
		event.HoldStarted{Source: s, Reason: "paused", Offset: 42, Attempt: 5, Cause: broken},
		event.HoldStarted{Source: s, Reason: "drain", Offset: 42},
		event.HoldEnded{Source: s, Reason: "retry", Held: time.Second},
		event.UnitSkipped{Source: s, Offset: 42, Messages: 1, Cause: broken},
		event.ProcessorPanicked{Source: s, Offset: 42, Value: "boom", Stack: "main.go:1"},
		event.ProcessorSlow{Source: s, Offset: 42, Attempt: 1, Running: time.Minute, Stack: "main.go:1"},
		event.DeliveryRewound{Source: s, Offset: 42, Units: 5, Cause: broken},
		event.FeedFailed{Source: s, Offset: 42, Cause: broken},
		event.MemberState{Member: "pitlane-0", From: "joining", To: "steady"},
		event.ClientError{Client: "producer", Code: -195, Count: 3, Cause: broken},
		event.ClientError{Client: "pitlane-0", Code: -150, Fatal: true, Count: 1, Cause: broken},
		event.CommitFailed{Member: "pitlane-0", Code: 22, Kept: true, Cause: broken},
		event.CommitFailed{Member: "pitlane-0", Code: 25, Cause: broken},
		event.CommitPending{Member: "pitlane-0", Age: 10 * time.Second},
		event.HookFailed{Member: "pitlane-0", Hook: "OnAssigned", Cause: broken},
		event.HookFailed{Member: "pitlane-0", Hook: "OnLost", Cause: &processor.PanicError{Value: "boom", Stack: []byte("main.go:1")}},
		event.Unhealthy{Reason: "brokers", Cause: broken},
		event.Healthy{Reason: "brokers", Lasted: time.Minute},
		event.RunnerState{From: "starting", To: "running"},
		unknown{},
	}
}

// late is an error that a nil pointer breaks: what a function returns that
// declares a *late and returns it as an error.
type late struct{ by time.Duration }

func (l *late) Error() string { return "late by " + l.by.String() }

// silent is such an error whose method can be called all the same.
type silent struct{}

func (*silent) Error() string { return "silent" }

func TestErrorsThatAreNilPointersAreLogged(t *testing.T) {
	for cause, want := range map[error]string{
		(*late)(nil):   "an error of type *cli_test.late, whose Error method panics: runtime error: invalid memory address or nil pointer dereference",
		(*silent)(nil): "silent",
	} {
		var out bytes.Buffer
		sink := cli.NewEvents(cli.NewLogger(config.Log{Level: "debug", Format: "json"}, &out))
		sink(at(), event.HoldStarted{Reason: "retry", Cause: cause})
		var line struct{ Error string }
		if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.Error != want {
			t.Errorf("%T is logged as %q, want %q (%v)", cause, line.Error, want, err)
		}
	}
}

func TestEveryEventIsALogLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	for _, e := range everyEvent() {
		// A sink of its own for each, so that nothing is limited.
		cli.NewEvents(cli.NewLogger(config.Log{Level: "debug", Format: "json"}, &out))(at(), e)
	}
	golden(t, "events.golden", out.String())
}

// A new type of event must get its fields: this test sees it in the source of
// package event.
func TestNoEventIsForgotten(t *testing.T) {
	t.Parallel()
	logged := map[string]bool{}
	for _, e := range everyEvent() {
		logged[reflect.TypeOf(e).Name()] = true
	}
	files, err := filepath.Glob("../event/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no source", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Name.Name != "Name" || f.Recv == nil {
				continue
			}
			name, ok := f.Recv.List[0].Type.(*ast.Ident)
			if ok && !logged[name.Name] {
				t.Errorf("event.%s has no line in this test, and perhaps none in the log", name.Name)
			}
		}
	}
}

func TestTroubleThatRepeatsIsLoggedOnceASecond(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	sink := cli.NewEvents(cli.NewLogger(config.Log{Level: "info", Format: "json"}, &out))
	hold := event.HoldStarted{Source: event.Source{Partition: processor.Partition{Topic: "uploads"}}, Reason: "retry"}
	other := hold
	other.Partition.Partition = 1
	for i := range 10 {
		sink(at().Add(time.Duration(i)*time.Millisecond), hold)
	}
	sink(at(), other)
	sink(at().Add(time.Second), hold)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[2], `"suppressed":9`) {
		t.Errorf("got %s", out.String())
	}
}

func TestTheLevelHidesWhatIsBelow(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	sink := cli.NewEvents(cli.NewLogger(config.Log{Level: "warn", Format: "json"}, &out))
	sink(at(), event.RunnerState{To: "running"})
	sink(at(), event.Unhealthy{Reason: "brokers"})
	if strings.Contains(out.String(), "runner state") || !strings.Contains(out.String(), "unhealthy") {
		t.Errorf("got %s", out.String())
	}
}

func TestTheConsoleFormatIsForPeople(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	cli.NewEvents(cli.NewLogger(config.Log{Level: "info", Format: "console"}, &out))(at(), event.RunnerState{From: "starting", To: "running"})
	if got := out.String(); strings.Contains(got, "{") || !strings.Contains(got, "INF runner state changed from=starting to=running") {
		t.Errorf("got %s", got)
	}
}

func TestAProcessorsLinesLookLikeTheOthers(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	logger := cli.NewSlogger(cli.NewLogger(config.Log{Level: "info", Format: "json"}, &out))
	logger.With("topic", "uploads").Info("message", "offset", 42)
	logger.Debug("hidden")
	var line struct {
		Level, Time, Topic, Message string
		Offset                      int64
	}
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	if line.Level != "info" || line.Topic != "uploads" || line.Message != "message" || line.Offset != 42 {
		t.Errorf("got %s", out.String())
	}
	if _, err := time.Parse("2006-01-02T15:04:05.000Z07:00", line.Time); err != nil || strings.Count(out.String(), `"time"`) != 1 {
		t.Errorf("got %s", out.String())
	}
}
