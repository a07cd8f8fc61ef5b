package kafkatest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/processor"
)

var errBroker = errors.New("broker said no")

func upper(ctx context.Context, m *processor.Message) error {
	return m.Send(ctx, processor.Record{Topic: "out", Key: m.Key, Value: m.Value})
}

func TestRecorderSettlesWhatIsProcessedAndSent(t *testing.T) {
	var r kafkatest.Recorder
	m := kafkatest.NewMessage("in", "hello", kafkatest.Key("k"), kafkatest.At(3, 7), kafkatest.Header("h", "v"))
	rs := r.Process(t.Context(), processor.Func(upper), m)
	if err := rs.Err(); err != nil || rs.Settled() != 1 || m.Attempt != 1 {
		t.Fatalf("settled %d, attempt %d, %v", rs.Settled(), m.Attempt, err)
	}
	if sent := rs.Sent(); len(sent) != 1 || string(sent[0].Value) != "hello" || string(sent[0].Key) != "k" {
		t.Fatalf("sent %v", sent)
	}
	if len(r.Sent()) != 1 {
		t.Fatalf("the recorder kept %v", r.Sent())
	}
}

func TestRecorderTellsNilFromEmpty(t *testing.T) {
	var r kafkatest.Recorder
	ms := []*processor.Message{kafkatest.Tombstone("in"), kafkatest.NewMessage("in", "")}
	sent := r.Process(t.Context(), processor.Func(upper), ms...).Sent()
	if sent[0].Value != nil || sent[1].Value == nil || len(sent[1].Value) != 0 {
		t.Fatalf("sent %#v and %#v", sent[0].Value, sent[1].Value)
	}
}

func TestRecorderFailsSends(t *testing.T) {
	ignoring := processor.Func(func(ctx context.Context, m *processor.Message) error {
		_ = upper(ctx, m)
		return nil
	})
	for name, c := range map[string]struct {
		fail    func(*kafkatest.Recorder)
		p       processor.Processor
		settled int
	}{
		"the second":            {func(r *kafkatest.Recorder) { r.FailSend(2, errBroker) }, processor.Func(upper), 2},
		"the second, ignored":   {func(r *kafkatest.Recorder) { r.FailSend(2, errBroker) }, ignoring, 2},
		"a topic":               {func(r *kafkatest.Recorder) { r.FailTopic("out", errBroker) }, processor.Func(upper), 0},
		"a topic's delivery":    {func(r *kafkatest.Recorder) { r.FailDelivery("out", errBroker) }, processor.Func(upper), 0},
		"another topic: no one": {func(r *kafkatest.Recorder) { r.FailTopic("other", errBroker) }, processor.Func(upper), 3},
	} {
		t.Run(name, func(t *testing.T) {
			var r kafkatest.Recorder
			c.fail(&r)
			ms := kafkatest.NewMessages("in", "a", "b", "c")
			rs := r.Process(t.Context(), c.p, ms...)
			if rs.Settled() != c.settled || len(rs.Sent()) != c.settled || errors.Is(rs.Err(), errBroker) != (c.settled < 3) {
				t.Fatalf("settled %d, sent %d, %v", rs.Settled(), len(rs.Sent()), rs.Err())
			}
			r.Heal()
			if rs := r.Process(t.Context(), c.p, ms...); rs.Settled() != 3 || ms[0].Attempt != 2 {
				t.Fatalf("after healing: settled %d at attempt %d", rs.Settled(), ms[0].Attempt)
			}
		})
	}
}

func TestRecorderEndsTheAttempt(t *testing.T) {
	var r kafkatest.Recorder
	m := kafkatest.NewMessage("in", "x", kafkatest.NextAttempt(4))
	rs := r.Process(t.Context(), processor.Func(func(context.Context, *processor.Message) error {
		panic("oh")
	}), m)
	var p *processor.PanicError
	if !errors.As(rs.Err(), &p) || rs.Settled() != 0 || m.Attempt != 4 {
		t.Fatalf("attempt %d: %v", m.Attempt, rs.Err())
	}
	if err := upper(t.Context(), m); !errors.Is(err, processor.ErrAttemptEnded) {
		t.Fatalf("send after the attempt: %v", err)
	}
	none := processor.Func(func(ctx context.Context, m *processor.Message) error {
		return m.Send(ctx, processor.Record{})
	})
	if err := r.Process(t.Context(), none, m).Err(); !errors.Is(err, kafkatest.ErrNoTopic) {
		t.Fatalf("a record without a topic: %v", err)
	}
}

func TestRecorderSettlesASkip(t *testing.T) {
	var r kafkatest.Recorder
	rs := r.Process(t.Context(), processor.Func(func(context.Context, *processor.Message) error {
		return processor.Skip(errBroker)
	}), kafkatest.NewMessage("in", "x"))
	if !rs[0].Settled || rs[0].Class != processor.ClassSkip {
		t.Fatalf("result %+v", rs[0])
	}
}

func TestRecorderSettlesNothingWhoseSendFailed(t *testing.T) {
	var r kafkatest.Recorder
	r.FailTopic("out", processor.Skip(errBroker)) // even if the error calls itself harmless
	rs := r.Process(t.Context(), processor.Func(func(ctx context.Context, m *processor.Message) error {
		_ = upper(ctx, m)
		return nil
	}), kafkatest.NewMessage("in", "x"))
	if rs[0].Settled {
		t.Fatalf("result %+v", rs[0])
	}
}

func TestMessagesAndRecordsAreCopies(t *testing.T) {
	var r kafkatest.Recorder
	value := []byte("before")
	m := kafkatest.NewMessage("in", value)
	copy(value, "AFTER.")
	buffer := []byte("before")
	rs := r.Process(t.Context(), processor.Func(func(ctx context.Context, m *processor.Message) error {
		err := m.Send(ctx, processor.Record{Topic: "out", Key: buffer, Value: buffer, Headers: []processor.Header{{Value: buffer}}})
		copy(buffer, "AFTER.")
		return err
	}), m)
	sent := rs.Sent()[0]
	if string(m.Value) != "before" || string(sent.Key)+string(sent.Value)+string(sent.Headers[0].Value) != "beforebeforebefore" {
		t.Fatalf("message %q, sent %+v", m.Value, sent)
	}
}

func TestRecorderSettlesTheStartOfABatch(t *testing.T) {
	each := func(err error) processor.BatchFunc {
		return func(ctx context.Context, b *processor.Batch) error {
			for _, m := range b.Messages {
				_ = upper(ctx, m)
			}
			return err
		}
	}
	for name, c := range map[string]struct {
		p       processor.BatchFunc
		fail    int // the send that fails
		settled int
	}{
		"all":                              {each(nil), 0, 3},
		"up to the failure":                {each(processor.FailedAt(1, errBroker)), 0, 1},
		"nothing that is not acknowledged": {each(processor.FailedAt(2, errBroker)), 2, 0},
		"what is below a failed send":      {each(processor.FailedAt(1, errBroker)), 2, 1},
		"nothing of one that failed":       {each(errBroker), 0, 0},
		"nothing when a send was refused":  {each(nil), 3, 0},
		"nothing at a bad index":           {each(processor.FailedAt(9, errBroker)), 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var r kafkatest.Recorder
			r.FailSend(c.fail, errBroker)
			got := r.ProcessBatch(t.Context(), c.p, kafkatest.NewMessages("in", "a", "b", "c")...)
			if got.Settled != c.settled || (got.Err == nil) != (c.settled == 3) {
				t.Fatalf("settled %d, want %d: %v", got.Settled, c.settled, got.Err)
			}
			for i, s := range got.Sent {
				if c.fail == 0 && s.Index != i {
					t.Fatalf("record %d has index %d", i, s.Index)
				}
			}
		})
	}
	var r kafkatest.Recorder
	if got := r.ProcessBatch(t.Context(), each(nil)); got.Err != nil || got.Settled != 0 {
		t.Fatalf("no messages: %+v", got)
	}
}

func TestRecorderMakesOneValuePerPartition(t *testing.T) {
	counts := map[int32]int{}
	p := processor.PerPartition(func(at processor.Partition) processor.Processor {
		return processor.Func(func(context.Context, *processor.Message) error {
			counts[at.Partition]++
			return nil
		})
	})
	var r kafkatest.Recorder
	rs := r.Process(t.Context(), p, kafkatest.NewMessage("in", "", kafkatest.At(1, 0)), kafkatest.NewMessage("in", "", kafkatest.At(2, 0)))
	if rs.Settled() != 2 || counts[1] != 1 || counts[2] != 1 {
		t.Fatalf("counts %v: %v", counts, rs.Err())
	}
}
