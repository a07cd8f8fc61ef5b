package delivery

import (
	"context"
	"errors"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/processor"
)

// refused makes the error of a record that the client did not take.
func (g *generation) refused(h handle, r *processor.Record, cause error) *Error {
	g.counters.refused.Add(1)
	partition := int32(-1)
	if r.Partition != nil {
		partition = *r.Partition
	}
	code := codeOf(cause)
	rule := ruleRefused(code)
	if isFatal(cause) {
		rule = ruleRefused(kafka.ErrFatal)
	}
	return &Error{
		Topic:      r.Topic,
		Partition:  partition,
		Index:      h.index,
		Code:       int(code),
		Outcome:    OutcomeNotSent,
		Generation: g.number,
		Advice:     rule.advice,
		Cause:      cause,
		class:      rule.class,
	}
}

// cancelled makes the error of a record that was not tried, because the context
// of its Send had ended already. It is the processor's own time limit (a fence
// and a shutdown are no attempt at all), so it is transient.
func (g *generation) cancelled(ctx context.Context, h handle, r *processor.Record) *Error {
	e := g.refused(h, r, context.Cause(ctx))
	e.Code, e.Advice, e.class = 0, "", transient
	return e
}

// reported makes the error of a failed delivery report.
func (g *generation) reported(h handle, m *kafka.Message) *Error {
	code := codeOf(m.TopicPartition.Error)
	rule := ruleReported(code)
	e := &Error{
		Partition:  m.TopicPartition.Partition,
		Index:      h.index,
		Code:       int(code),
		Outcome:    OutcomeUnknown,
		Generation: g.number,
		Advice:     rule.advice,
		Cause:      m.TopicPartition.Error,
		class:      rule.class,
	}
	if m.TopicPartition.Topic != nil {
		e.Topic = *m.TopicPartition.Topic
	}
	return e
}

// codeOf is the client's code in err; an error without one that is not nil is
// the end of the generation.
func codeOf(err error) kafka.ErrorCode {
	if err == nil {
		return kafka.ErrNoError
	}
	if e, ok := errors.AsType[kafka.Error](err); ok {
		return e.Code()
	}
	return kafka.ErrState
}

// isCode is on the path of every record: the client's errors come unwrapped.
func isCode(err error, code kafka.ErrorCode) bool {
	e, ok := err.(kafka.Error) //nolint:errorlint // see above; a wrapped one is none of the client's
	return ok && e.Code() == code
}

func isFatal(err error) bool {
	e, ok := errors.AsType[kafka.Error](err)
	return ok && (e.IsFatal() || e.Code() == kafka.ErrFatal)
}
