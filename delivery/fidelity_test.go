package delivery_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pitlane-go/pitlane/processor"
)

func TestARecordArrivesAsItWasSent(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	partition := int32(2)
	at := time.UnixMilli(1_700_000_000_123)
	headers := []processor.Header{
		{Key: "trace", Value: []byte("1")},
		{Key: "empty", Value: []byte{}},
		{Key: "trace", Value: []byte("2")},
		{Key: "nil", Value: nil},
		{Key: "", Value: []byte{0, 255}},
	}
	sent := processor.Record{
		Topic: "out", Key: []byte("k\x00ey"), Value: []byte{0, 1, 2}, Headers: headers,
		Partition: &partition, Timestamp: at,
	}
	// More than one: nothing of a record may leak into the next.
	if err := b.deliver(t, sent, record("bare"), sent); err != nil {
		t.Fatal(err)
	}
	for _, got := range b.read(t, "out", 3) {
		if string(got.Value) != "bare" {
			checkArrived(t, got, sent)
		} else if got.Key != nil || len(got.Headers) != 0 || got.Timestamp.Equal(at) {
			t.Errorf("the bare record has %q, %v at %v", got.Key, got.Headers, got.Timestamp)
		}
	}
}

func checkArrived(t *testing.T, got *kgo.Record, sent processor.Record) {
	t.Helper()
	partition, at, headers := *sent.Partition, sent.Timestamp, sent.Headers
	if got.Partition != partition || !got.Timestamp.Equal(at) {
		t.Errorf("partition %d at %v, want 2 at %v", got.Partition, got.Timestamp, at)
	}
	if !bytes.Equal(got.Key, sent.Key) || !bytes.Equal(got.Value, sent.Value) {
		t.Errorf("key %q value %q", got.Key, got.Value)
	}
	if len(got.Headers) != len(headers) {
		t.Fatalf("%d headers, want %d", len(got.Headers), len(headers))
	}
	for i, h := range headers {
		g := got.Headers[i]
		if g.Key != h.Key || !same(g.Value, h.Value) {
			t.Errorf("header %d: %q=%#v, want %q=%#v", i, g.Key, g.Value, h.Key, h.Value)
		}
	}
}

func TestNilAndEmptyStayDifferent(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	partition := int32(0)
	cases := []struct{ key, value []byte }{
		{nil, nil}, {nil, []byte{}}, {[]byte{}, nil}, {[]byte{}, []byte{}}, {[]byte("k"), []byte("v")},
	}
	records := make([]processor.Record, len(cases))
	for i, c := range cases {
		records[i] = processor.Record{Topic: "out", Key: c.key, Value: c.value, Partition: &partition}
	}
	if err := b.deliver(t, records...); err != nil {
		t.Fatal(err)
	}
	for i, got := range b.read(t, "out", len(cases)) {
		if !same(got.Key, cases[i].key) || !same(got.Value, cases[i].value) {
			t.Errorf("record %d: key %#v value %#v, want %#v and %#v", i, got.Key, got.Value, cases[i].key, cases[i].value)
		}
	}
}

func TestARecordWithoutTimestampGetsTheTimeOfSending(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	before := time.Now().Truncate(time.Millisecond)
	if err := b.deliver(t, record("now")); err != nil {
		t.Fatal(err)
	}
	if at := b.read(t, "out", 1)[0].Timestamp; at.Before(before) || at.After(time.Now()) {
		t.Errorf("timestamp %v, sent after %v", at, before)
	}
}

// The key decides the partition as it does in Java clients: murmur2. The other
// client library computes what is expected.
func TestKeysGoWhereJavaClientsPutThem(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	const n = 50
	var records []processor.Record
	for i := range n {
		key := fmt.Appendf(nil, "key-%d", i)
		records = append(records, processor.Record{Topic: "out", Key: key, Value: key})
	}
	if err := b.deliver(t, records...); err != nil {
		t.Fatal(err)
	}
	java := kgo.StickyKeyPartitioner(nil).ForTopic("out")
	for _, got := range b.read(t, "out", n) {
		if want := java.Partition(&kgo.Record{Key: got.Key}, 3); int(got.Partition) != want {
			t.Errorf("key %q in partition %d, want %d", got.Key, got.Partition, want)
		}
	}
}

func TestRecordsOfAnAttemptKeepTheirOrder(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	const n = 5000
	partition := int32(1)
	a := b.producer.Begin()
	for i := range n {
		r := record("%d", i)
		r.Partition = &partition
		if err := a.Send(t.Context(), 0, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := await(t, a); err != nil {
		t.Fatal(err)
	}
	for i, got := range b.read(t, "out", n) {
		if want := record("%d", i).Value; !bytes.Equal(got.Value, want) {
			t.Fatalf("record %d is %q", i, got.Value)
		}
	}
	if s := b.producer.Stats(); s.Sent != n || s.Acked != n || s.Open != 0 || s.Failed != 0 || s.Generation != 1 {
		t.Errorf("stats %+v", s)
	}
}

// same compares bytes and tells nil from empty.
func same(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

// The real client frees the room of a record a moment after its report: with a
// queue of one every send meets that moment.
func TestAQueueOfOneRecordGoesOn(t *testing.T) {
	t.Parallel()
	b := setup(t, map[string]string{"queue.buffering.max.messages": "1", "linger.ms": "0"})
	const senders, each = 4, 50
	results := make(chan error, senders) // one each
	for range senders {
		go func() {
			a := b.producer.Begin()
			for i := range each {
				_ = a.Send(context.Background(), i, record("%d", i)) // the attempt keeps it
			}
			results <- a.Wait(context.Background())
		}()
	}
	for range senders {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	s := b.producer.Stats()
	if s.QueueFull == 0 || s.Acked != senders*each || s.Sent != s.Acked {
		t.Errorf("stats %+v", s)
	}
	b.read(t, "out", senders*each)
}
