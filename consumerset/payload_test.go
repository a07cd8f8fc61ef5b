package consumerset_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pitlane-go/pitlane/processor"
)

func TestMessagesArriveAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1_700_000_000_123)
	wide := bytes.Repeat([]byte{0, 1, 2, 255}, 5000)
	records := []*kgo.Record{
		{Key: nil, Value: nil},
		{Key: []byte{}, Value: []byte{}},
		{Key: []byte("k"), Value: []byte("v")},
		{Key: wide, Value: wide},
		{Value: []byte("h"), Headers: []kgo.RecordHeader{
			{Key: "b", Value: []byte("1")}, {Key: "a", Value: nil}, {Key: "b", Value: []byte{}}, {Key: "", Value: wide},
		}},
		{Value: []byte("last")},
	}
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 1)
			r.feed = feed
			got := make(chan *processor.Message, len(records)) // one for each record
			r.journal.hold = func(m *processor.Message) { got <- m }
			for _, rec := range records {
				c := *rec
				c.Topic, c.Timestamp = r.topic, at
				if err := r.kgo.ProduceSync(t.Context(), &c).FirstErr(); err != nil {
					t.Fatal(err)
				}
			}
			cfg := r.config()
			s := r.start(cfg)
			for i, want := range records {
				compare(t, i, want, <-got, at)
			}
			s.stop()
		})
	}
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

func compare(t *testing.T, i int, want *kgo.Record, m *processor.Message, at time.Time) {
	t.Helper()
	if m.Offset != int64(i) || !m.Timestamp.Equal(at) || m.Topic != "in" || m.Partition != 0 {
		t.Errorf("%d: offset %d, time %v", i, m.Offset, m.Timestamp)
	}
	if !same(m.Key, want.Key) || !same(m.Value, want.Value) {
		t.Errorf("%d: key or value differs (nil %v %v)", i, m.Key == nil, m.Value == nil)
	}
	if len(m.Headers) != len(want.Headers) {
		t.Fatalf("%d: %d headers", i, len(m.Headers))
	}
	for k, h := range want.Headers {
		if m.Headers[k].Key != h.Key || !same(m.Headers[k].Value, h.Value) {
			t.Errorf("%d: header %d differs: %q", i, k, m.Headers[k].Key)
		}
	}
}

// A partition that stands still must not slow the others down, and goes on without
// gaps or repeats when it is released.
func TestAPartitionThatStandsStillDoesNotHoldUpTheOthers(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 3)
			r.feed = feed
			release := make(chan struct{})
			r.journal.hold = func(m *processor.Message) {
				if m.Partition == 0 && m.Offset == 100 {
					<-release
				}
			}
			cfg := r.config()
			cfg.Partitions = 1000 // a small share for each: the feed is full soon
			s := r.start(cfg)
			const rounds, n = 10, 1000
			for i := range rounds {
				r.produce(3, i*n, n)
			}
			r.until("the others", func() bool { return r.journal.total == 2*rounds*n+100 })
			close(release)
			r.until("everything", func() bool { return r.journal.total == 3*rounds*n })
			if r.journal.again > 0 {
				t.Errorf("%d messages came again", r.journal.again)
			}
			s.stop()
			r.check()
		})
	}
}
