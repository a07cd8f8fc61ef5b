package kafkatest

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/pitlane-go/pitlane/processor"
)

// Recorder runs processors on messages without a broker and keeps what they
// send. Its zero value is ready, and acknowledges every record.
//
// It calls the processor as a runner does: a panic becomes an error, a failed
// send fails the attempt even if the processor ignored it, and a send after the
// attempt answers processor.ErrAttemptEnded. It calls no hooks (Setup, OnAssigned
// and so on), does not retry, and makes the values of PerPartition anew for each
// call of Process.
type Recorder struct {
	mu    sync.Mutex
	sent  []processor.Record
	sends int
	rules []sendRule
}

// sendRule fails sends: at once, or when the record would be acknowledged.
type sendRule struct {
	matches func(n int, r processor.Record) bool
	late    bool
	err     error
}

// FailSend lets the nth send (from 1, over the recorder's life) answer err.
func (r *Recorder) FailSend(n int, err error) {
	r.rule(sendRule{matches: func(i int, _ processor.Record) bool { return i == n }, err: err})
}

// FailTopic lets every send to a topic answer err.
func (r *Recorder) FailTopic(topic string, err error) {
	r.rule(sendRule{matches: func(_ int, s processor.Record) bool { return s.Topic == topic }, err: err})
}

// FailDelivery accepts every send to a topic and fails its delivery: Send answers
// nil, the attempt ends with err.
func (r *Recorder) FailDelivery(topic string, err error) {
	r.rule(sendRule{matches: func(_ int, s processor.Record) bool { return s.Topic == topic }, late: true, err: err})
}

// Heal acknowledges every record again.
func (r *Recorder) Heal() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rules = nil
}

func (r *Recorder) rule(s sendRule) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rules = append(r.rules, s)
}

// Sent returns all records that were sent and did not fail, in order.
func (r *Recorder) Sent() []processor.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.sent)
}

// take judges and keeps a record. It returns what Send answers and what the
// delivery ends with.
func (r *Recorder) take(s processor.Record) (send, delivery error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sends++
	for _, rule := range r.rules {
		if !rule.matches(r.sends, s) {
			continue
		}
		if rule.late {
			return nil, rule.err
		}
		return rule.err, rule.err
	}
	r.sent = append(r.sent, s)
	return nil, nil
}

// recording is the Sender of one attempt.
type recording struct {
	to *Recorder

	mu     sync.Mutex
	ended  bool
	sent   []SentRecord
	failed []SentRecord
	errs   []error
}

// SentRecord is a record and the index in its batch of the message that sent it.
type SentRecord struct {
	Index int
	processor.Record
}

// Send implements processor.Sender.
func (a *recording) Send(_ context.Context, index int, r processor.Record) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return processor.ErrAttemptEnded
	}
	r = cloned(r)
	send, delivery := ErrNoTopic, ErrNoTopic
	if r.Topic != "" {
		send, delivery = a.to.take(r)
	}
	if delivery != nil {
		a.failed, a.errs = append(a.failed, SentRecord{index, r}), append(a.errs, delivery)
		return send
	}
	a.sent = append(a.sent, SentRecord{index, r})
	return nil
}

// end closes the attempt and joins what went wrong, the processor's error first.
// A send error that the processor returned is in there once.
func (a *recording) end(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	all := []error{err}
	for _, e := range a.errs {
		if !errors.Is(err, e) {
			all = append(all, e)
		}
	}
	return errors.Join(all...)
}

// cloned copies a record: its bytes belong to the processor when Send returns.
func cloned(r processor.Record) processor.Record {
	r.Key, r.Value = bytes.Clone(r.Key), bytes.Clone(r.Value)
	r.Headers = slices.Clone(r.Headers)
	for i := range r.Headers {
		r.Headers[i].Value = bytes.Clone(r.Headers[i].Value)
	}
	return r
}
