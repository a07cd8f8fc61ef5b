package builtin_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pitlane-go/pitlane/builtin"
	"github.com/pitlane-go/pitlane/processor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sent is a Sender that keeps what it is given, or fails.
type sent struct {
	records []processor.Record
	err     error
}

func (s *sent) Send(_ context.Context, _ int, r processor.Record) error {
	s.records = append(s.records, r)
	return s.err
}

func forward(t *testing.T, c builtin.ForwardConfig, m *processor.Message, s *sent) error {
	t.Helper()
	p := builtin.NewForward()
	*p.(processor.Configurer).Config().(*builtin.ForwardConfig) = c
	m.Bind(s, 0, 1)
	return p.Process(t.Context(), m)
}

func TestForwardKeepsAllOfAMessage(t *testing.T) {
	t.Parallel()
	headers := []processor.Header{{Key: "a", Value: []byte("1")}, {Key: "b"}, {Key: "a", Value: []byte{}}}
	at := time.UnixMilli(1_700_000_000_123)
	for name, m := range map[string]processor.Message{
		"everything": {Key: []byte("k"), Value: []byte("v"), Headers: headers, Timestamp: at},
		"tombstone":  {Key: []byte("k"), Timestamp: at},
		"empty":      {Key: []byte{}, Value: []byte{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m.Topic, m.Partition, m.Offset = "in", 3, 42
			var s sent
			if err := forward(t, builtin.ForwardConfig{Topic: "out"}, &m, &s); err != nil {
				t.Fatal(err)
			}
			want := processor.Record{Topic: "out", Key: m.Key, Value: m.Value, Headers: m.Headers, Timestamp: m.Timestamp}
			if len(s.records) != 1 || !reflect.DeepEqual(s.records[0], want) {
				t.Errorf("sent %+v, want %+v", s.records, want)
			}
		})
	}
}

func TestForwardKeepsThePartitionWhenAsked(t *testing.T) {
	t.Parallel()
	var s sent
	m := processor.Message{Topic: "in", Partition: 3}
	if err := forward(t, builtin.ForwardConfig{Topic: "out", KeepPartition: true}, &m, &s); err != nil {
		t.Fatal(err)
	}
	if p := s.records[0].Partition; p == nil || *p != 3 {
		t.Errorf("partition %v", p)
	}
}

func TestForwardFailsWithTheSend(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	m := processor.Message{Topic: "in"}
	if err := forward(t, builtin.ForwardConfig{Topic: "out"}, &m, &sent{err: broken}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestForwardNeedsATopic(t *testing.T) {
	t.Parallel()
	if err := (&builtin.ForwardConfig{}).Validate(); !errors.Is(err, builtin.ErrNoTopic) {
		t.Errorf("got %v", err)
	}
}

func logged(t *testing.T, level slog.Level, m *processor.Message) string {
	t.Helper()
	var out bytes.Buffer
	p := builtin.NewLog()
	env := processor.Env{Logger: slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: level}))}
	if err := p.(processor.Setuper).Setup(t.Context(), env); err != nil {
		t.Fatal(err)
	}
	if err := p.Process(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestLogShowsAValueAtDebugOnly(t *testing.T) {
	t.Parallel()
	m := &processor.Message{Topic: "in", Partition: 3, Offset: 42, Key: []byte("k"), Value: []byte("hunter2"), Attempt: 2}
	line := logged(t, slog.LevelInfo, m)
	for _, want := range []string{`"topic":"in"`, `"partition":3`, `"offset":42`, `"key":"k"`, `"size":7`, `"attempt":2`} {
		if !strings.Contains(line, want) {
			t.Errorf("%s is not in %s", want, line)
		}
	}
	if strings.Contains(line, "hunter2") {
		t.Errorf("the value is in %s", line)
	}
	if line := logged(t, slog.LevelDebug, m); !strings.Contains(line, "hunter2") {
		t.Errorf("the value is not in %s", line)
	}
}

func TestLogTellsNilFromEmpty(t *testing.T) {
	t.Parallel()
	if line := logged(t, slog.LevelDebug, &processor.Message{Key: []byte{}}); !strings.Contains(line, `"key":"","`) || !strings.Contains(line, `"value":null`) {
		t.Errorf("got %s", line)
	}
}
