package delivery

import (
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/processor"
)

// ruling is what follows from an error code: its class, and what an operator
// should look at.
type ruling struct {
	class  processor.Class
	advice string
}

// Short names, so that the table below can be read.
const (
	permanent      = processor.ClassPermanent
	transient      = processor.ClassTransient
	infrastructure = processor.ClassInfrastructure
	configuration  = processor.ClassConfiguration
)

// ruleRefused judges a synchronous error of Produce. It speaks of this one
// record, so a size or an invalid field can never succeed.
func ruleRefused(code kafka.ErrorCode) ruling {
	switch code {
	case kafka.ErrMsgSizeTooLarge:
		return ruling{permanent, "send a smaller record, or raise message.max.bytes (producer) and max.message.bytes (topic)"}
	case kafka.ErrInvalidArg, kafka.ErrInvalidTimestamp, kafka.ErrInvalidRecord, kafka.ErrInvalidMsg,
		kafka.ErrInvalidMsgSize, kafka.ErrTopicException:
		return ruling{permanent, "the processor built a record that Kafka cannot take"}
	case kafka.ErrQueueFull:
		return ruling{infrastructure, "the brokers take records more slowly than the processors send them: look at the brokers of the topic; buffer.max_bytes sizes the queue"}
	case kafka.ErrFatal:
		return ruling{infrastructure, "this producer can send nothing any more: restart the runner"}
	case kafka.ErrState:
		return ruling{infrastructure, "the producer is being closed or replaced"}
	}
	return ruleReported(code)
}

// ruleReported judges the code of a delivery report. A verdict about size or
// content speaks of the whole batch in which the record travelled, so it cannot
// name the guilty one: transient, counted as an attempt. Codes that are not
// listed are the client's own trouble when negative, the broker's otherwise.
func ruleReported(code kafka.ErrorCode) ruling {
	switch code {
	case kafka.ErrMsgSizeTooLarge, kafka.ErrRecordListTooLarge:
		return ruling{transient, "the topic takes only smaller batches: raise max.message.bytes (topic), or lower batch.size or message.max.bytes (producer)"}
	case kafka.ErrInvalidRecord, kafka.ErrInvalidTimestamp, kafka.ErrPolicyViolation:
		return ruling{transient, "the broker refuses the content of a batch: look at the topic's cleanup.policy (a compacted topic needs keys), message.timestamp settings and policies"}
	case kafka.ErrInvalidDifferentRecord:
		return ruling{infrastructure, "another record of the same batch was refused"}
	case kafka.ErrUnknown:
		return ruling{transient, "the broker failed without a reason: look at its log"}

	case kafka.ErrUnknownTopic, kafka.ErrUnknownTopicOrPart, kafka.ErrTopicException:
		return ruling{configuration, "create the topic, or correct its name"}
	case kafka.ErrUnknownPartition:
		return ruling{configuration, "the topic has no such partition: add partitions, or correct the processor"}
	case kafka.ErrTopicAuthorizationFailed:
		return ruling{configuration, "grant the principal WRITE and DESCRIBE on the topic"}
	case kafka.ErrClusterAuthorizationFailed:
		return ruling{configuration, "grant the principal IDEMPOTENT_WRITE on the cluster (brokers before 2.8 ask for it)"}
	case kafka.ErrTransactionalIDAuthorizationFailed, kafka.ErrSaslAuthenticationFailed, kafka.ErrAuthentication, kafka.ErrSsl:
		return ruling{configuration, "look at the credentials and certificates of the producer (sasl, tls)"}
	case kafka.ErrUnsupportedForMessageFormat, kafka.ErrInvalidRequiredAcks, kafka.ErrUnsupportedCompressionType,
		kafka.ErrUnsupportedVersion, kafka.ErrNotImplemented, kafka.ErrUnsupportedFeature:
		return ruling{configuration, "the broker does not support what the producer's properties ask for: look at its version, message.format.version and compression.type"}

	case kafka.ErrMsgTimedOut:
		return ruling{infrastructure, "no broker acknowledged it within delivery.timeout: look at the leader of the partition, and at min.insync.replicas"}
	case kafka.ErrTimedOut, kafka.ErrTimedOutQueue, kafka.ErrRequestTimedOut:
		return ruling{infrastructure, "the broker did not answer in time: look at the leader of the partition"}
	case kafka.ErrNotEnoughReplicas, kafka.ErrNotEnoughReplicasAfterAppend:
		return ruling{infrastructure, "fewer replicas are in sync than min.insync.replicas asks for: look at the followers of the partition"}
	case kafka.ErrPurgeQueue, kafka.ErrPurgeInflight:
		return ruling{infrastructure, "the producer was closed or had a fatal error while the record waited"}
	case kafka.ErrThrottlingQuotaExceeded:
		return ruling{infrastructure, "the principal is over its quota"}
	case kafka.ErrOutOfOrderSequenceNumber, kafka.ErrUnknownProducerID, kafka.ErrDuplicateSequenceNumber,
		kafka.ErrInvalidProducerEpoch, kafka.ErrProducerFenced, kafka.ErrFenced,
		kafka.ErrGaplessGuarantee, kafka.ErrInconsistent, kafka.ErrFatal:
		return ruling{infrastructure, "the broker and this producer disagree about its sequence; if it lasts, restart the runner"}
	case kafka.ErrKafkaStorageError, kafka.ErrInvalidMsg, kafka.ErrNetworkException,
		kafka.ErrNotLeaderForPartition, kafka.ErrLeaderNotAvailable, kafka.ErrReplicaNotAvailable, kafka.ErrBrokerNotAvailable,
		kafka.ErrFencedLeaderEpoch, kafka.ErrUnknownLeaderEpoch, kafka.ErrUnknownTopicID:
		return ruling{infrastructure, "the brokers of the partition are in trouble, or its leader moves"}
	}
	if code < 0 {
		return ruling{infrastructure, "the connection to the brokers is in trouble"}
	}
	return ruling{transient, "the broker refused the record: look at its log"}
}
