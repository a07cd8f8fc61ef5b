package kafkatest

import (
	"context"
	"errors"
	"slices"

	"github.com/pitlane-go/pitlane/processor"
)

// Result is how one attempt on one message ended.
type Result struct {
	Message *processor.Message
	// Sent holds the records that were acknowledged.
	Sent []processor.Record
	// Err joins the processor's error and what its sends failed with.
	Err error
	// Class says what a runner does about Err.
	Class processor.Class
	// Settled: the message need not run again.
	Settled bool
}

// Results are the results of several messages, in order.
type Results []Result

// Err joins the errors.
func (rs Results) Err() error {
	errs := make([]error, len(rs))
	for i, r := range rs {
		errs[i] = r.Err
	}
	return errors.Join(errs...)
}

// Settled counts the messages that are settled.
func (rs Results) Settled() int {
	n := 0
	for _, r := range rs {
		if r.Settled {
			n++
		}
	}
	return n
}

// Sent returns the records of all attempts.
func (rs Results) Sent() []processor.Record {
	var out []processor.Record
	for _, r := range rs {
		out = append(out, r.Sent...)
	}
	return out
}

// Process makes one attempt on each message, one after the other, whatever
// becomes of those before it.
func (r *Recorder) Process(ctx context.Context, p processor.Processor, ms ...*processor.Message) Results {
	perPartition := map[processor.Partition]processor.Processor{}
	var out Results
	for _, m := range ms {
		at := m.TopicPartition()
		own, ok := perPartition[at]
		if !ok {
			own = processor.ForPartition(p, at)
			perPartition[at] = own
		}
		a := &recording{to: r}
		m.Bind(a, 0, m.Attempt+1)
		err := a.end(processor.Call(ctx, own, m))
		class := processor.Classify(err).Class
		res := Result{Message: m, Err: err, Class: class, Settled: settles(class) && len(a.errs) == 0}
		for _, s := range a.sent {
			res.Sent = append(res.Sent, s.Record)
		}
		out = append(out, res)
	}
	return out
}

// BatchResult is how one attempt on a batch ended.
type BatchResult struct {
	Sent  []SentRecord
	Err   error
	Class processor.Class
	// Settled is how many messages, from the start of the batch, need not run
	// again.
	Settled int
}

// ProcessBatch makes one attempt on the messages as one batch. They must be of
// one partition.
func (r *Recorder) ProcessBatch(ctx context.Context, p processor.BatchProcessor, ms ...*processor.Message) BatchResult {
	if len(ms) == 0 {
		return BatchResult{}
	}
	at, a := ms[0].TopicPartition(), &recording{to: r}
	b := &processor.Batch{Topic: at.Topic, Partition: at.Partition, Messages: ms, Attempt: ms[0].Attempt + 1}
	for i, m := range ms {
		m.Bind(a, i, m.Attempt+1)
	}
	own := processor.CallBatch(ctx, processor.BatchForPartition(p, at), b)
	err := a.end(own)
	out := BatchResult{Sent: a.sent, Err: err, Class: processor.Classify(err).Class}
	v := processor.Classify(own)
	switch {
	case v.FailedAt >= 0 && v.FailedAt < len(ms):
		if !slices.ContainsFunc(a.failed, func(f SentRecord) bool { return f.Index < v.FailedAt }) {
			out.Settled = v.FailedAt
		}
	case settles(v.Class) && len(a.failed) == 0:
		out.Settled = len(ms)
	}
	return out
}

func settles(c processor.Class) bool {
	return c == processor.ClassNone || c == processor.ClassSkip
}
