package delivery_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/processor"
)

// Every code that a producer is known to answer, with its class as a synchronous
// error of Produce and as a report.
func TestCodesHaveTheirClassAndAnAdvice(t *testing.T) {
	t.Parallel()
	const (
		permanent      = processor.ClassPermanent
		transient      = processor.ClassTransient
		infrastructure = processor.ClassInfrastructure
		configuration  = processor.ClassConfiguration
	)
	for _, c := range []struct {
		code              kafka.ErrorCode
		refused, reported processor.Class
	}{
		{kafka.ErrQueueFull, infrastructure, infrastructure},
		{kafka.ErrFatal, infrastructure, infrastructure},
		{kafka.ErrState, infrastructure, infrastructure},
		{kafka.ErrMsgSizeTooLarge, permanent, transient},
		{kafka.ErrRecordListTooLarge, transient, transient},
		{kafka.ErrInvalidRecord, permanent, transient},
		{kafka.ErrInvalidDifferentRecord, infrastructure, infrastructure},
		{kafka.ErrInvalidTimestamp, permanent, transient},
		{kafka.ErrPolicyViolation, transient, transient},
		{kafka.ErrUnsupportedForMessageFormat, configuration, configuration},
		{kafka.ErrInvalidRequiredAcks, configuration, configuration},
		{kafka.ErrUnsupportedCompressionType, configuration, configuration},
		{kafka.ErrTopicAuthorizationFailed, configuration, configuration},
		{kafka.ErrClusterAuthorizationFailed, configuration, configuration},
		{kafka.ErrTransactionalIDAuthorizationFailed, configuration, configuration},
		{kafka.ErrSaslAuthenticationFailed, configuration, configuration},
		{kafka.ErrUnknownPartition, configuration, configuration},
		{kafka.ErrUnknownTopic, configuration, configuration},
		{kafka.ErrUnknownTopicOrPart, configuration, configuration},
		{kafka.ErrTopicException, permanent, configuration},
		{kafka.ErrThrottlingQuotaExceeded, infrastructure, infrastructure},
		{kafka.ErrUnknown, transient, transient},
		{kafka.ErrNotEnoughReplicas, infrastructure, infrastructure},
		{kafka.ErrNotLeaderForPartition, infrastructure, infrastructure},
		{kafka.ErrKafkaStorageError, infrastructure, infrastructure},
		{kafka.ErrInvalidMsg, permanent, infrastructure},
		{kafka.ErrNotEnoughReplicasAfterAppend, infrastructure, infrastructure},
		{kafka.ErrRequestTimedOut, infrastructure, infrastructure},
		{kafka.ErrTransport, infrastructure, infrastructure},
		{kafka.ErrTimedOut, infrastructure, infrastructure},
		{kafka.ErrMsgTimedOut, infrastructure, infrastructure},
		{kafka.ErrPurgeQueue, infrastructure, infrastructure},
		{kafka.ErrPurgeInflight, infrastructure, infrastructure},
		{kafka.ErrOutOfOrderSequenceNumber, infrastructure, infrastructure},
		{kafka.ErrUnknownProducerID, infrastructure, infrastructure},
		{kafka.ErrDuplicateSequenceNumber, infrastructure, infrastructure},
		{kafka.ErrInvalidProducerEpoch, infrastructure, infrastructure},
		{kafka.ErrProducerFenced, infrastructure, infrastructure},
		{kafka.ErrFenced, infrastructure, infrastructure},
		{kafka.ErrGaplessGuarantee, infrastructure, infrastructure},
		{kafka.ErrInconsistent, infrastructure, infrastructure},
		{kafka.ErrInvalidArg, permanent, infrastructure},
		{kafka.ErrResolve, infrastructure, infrastructure},       // any other of the client
		{kafka.ErrInvalidRequest, transient, transient},          // any other of the broker
		{kafka.ErrorCode(9999), transient, transient},            // one that is not invented yet
		{kafka.ErrorCode(-9999), infrastructure, infrastructure}, // the same of the client
	} {
		class, advice := delivery.RuleRefused(c.code)
		if class != c.refused || advice == "" {
			t.Errorf("%v (%d) from Produce: %v %q, want %v", c.code, c.code, class, advice, c.refused)
		}
		class, advice = delivery.RuleReported(c.code)
		if class != c.reported || advice == "" {
			t.Errorf("%v (%d) in a report: %v %q, want %v", c.code, c.code, class, advice, c.reported)
		}
	}
}

func TestAnErrorReadsCauseThenOutcomeThenAdvice(t *testing.T) {
	t.Parallel()
	cause := kafka.NewError(kafka.ErrMsgTimedOut, "Local: Message timed out", false)
	e := &delivery.Error{Topic: "out", Partition: 3, Index: 7, Code: -192, Generation: 1, Advice: "look at the leader", Cause: cause}
	want := `Local: Message timed out: record for topic "out" partition 3 may have been written (message 7 of the unit, producer generation 1): look at the leader`
	if e.Error() != want {
		t.Errorf("got  %s\nwant %s", e, want)
	}
	if found, ok := errors.AsType[kafka.Error](error(e)); !ok || found.Code() != kafka.ErrMsgTimedOut || !errors.Is(e, cause) {
		t.Errorf("the client's error is not reached: %v", found)
	}
	e.Partition, e.Outcome, e.Advice = -1, delivery.OutcomeNotSent, ""
	want = `Local: Message timed out: record for topic "out" was not written (message 7 of the unit, producer generation 1)`
	if e.Error() != want {
		t.Errorf("got  %s\nwant %s", e, want)
	}
}

func TestManyErrorsReadShortAndKeepEveryCause(t *testing.T) {
	t.Parallel()
	var all delivery.Errors
	for i := range 5000 {
		all = append(all, &delivery.Error{Topic: "out", Index: i, Cause: kafka.NewError(kafka.ErrorCode(-100-i%2), "x", false)})
	}
	text := all.Error()
	if len(text) > 1000 || !strings.HasSuffix(text, "and 4997 more records") {
		t.Errorf("text of %d bytes: %s", len(text), text)
	}
	if !errors.Is(all, all[4999]) {
		t.Error("the last error is not reached")
	}
}
