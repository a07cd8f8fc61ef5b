package kafkatest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/processor"
)

// shout is a processor under test.
type shout struct{}

func (shout) Process(ctx context.Context, m *processor.Message) error {
	return m.Send(ctx, processor.Record{Topic: "loud", Key: m.Key, Value: append(slices.Clip(m.Value), '!')})
}

func ExampleRecorder_Process() {
	var r kafkatest.Recorder
	results := r.Process(context.Background(), shout{}, kafkatest.NewMessage("quiet", "hello", kafkatest.Key("k")))

	fmt.Println(results.Settled(), results.Err())
	fmt.Printf("%s: %s\n", results.Sent()[0].Topic, results.Sent()[0].Value)
	// Output:
	// 1 <nil>
	// loud: hello!
}

func ExampleRecorder_FailTopic() {
	var r kafkatest.Recorder
	r.FailTopic("loud", errors.New("not authorised"))
	results := r.Process(context.Background(), shout{}, kafkatest.NewMessage("quiet", "hello"))

	fmt.Println(results.Settled(), results.Err())
	// Output: 0 not authorised
}

func ExampleRecorder_ProcessBatch() {
	sum := processor.BatchFunc(func(ctx context.Context, b *processor.Batch) error {
		for i, m := range b.Messages {
			if len(m.Value) == 0 {
				return processor.FailedAt(i, errors.New("empty"))
			}
			if err := m.Send(ctx, processor.Record{Topic: "sums", Value: m.Value}); err != nil {
				return err
			}
		}
		return nil
	})
	var r kafkatest.Recorder
	result := r.ProcessBatch(context.Background(), sum, kafkatest.NewMessages("in", "1", "2", "", "4")...)

	fmt.Println(result.Settled, len(result.Sent), result.Err)
	// Output: 2 2 message 2 of the batch: empty
}

func ExampleCheck() {
	h := kafkatest.NewHistory()
	at := func(offset int64) kafkatest.Position { return kafkatest.Position{Topic: "in", Offset: offset} }
	for o := range int64(3) {
		h.Produced(o+1, at(o), "")
	}
	h.Assigned("a", 1, "in", 0)
	for _, o := range []int64{0, 2} { // offset 1 is passed over
		run := kafkatest.Run{Member: "a", Epoch: 1, Input: at(o), Attempt: 1}
		h.Start(run)
		h.End(run, kafkatest.OutcomeOK)
		h.Output(kafkatest.Output{ID: o + 1, At: kafkatest.Position{Topic: "out", Offset: o}})
	}
	report := kafkatest.Check(h, kafkatest.Options{})
	fmt.Println(report)
	fmt.Println(report.Violations())
	// Output:
	// lost=1 out_of_order=0 duplicates=0 lost_write=1 skipped=1 skipped_by_poll=1
	// [lost lost_write skipped skipped_by_poll]
}
