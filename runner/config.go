package runner

import (
	"log/slog"
	"time"

	"github.com/pitlane-go/pitlane/event"
)

// Config says what a Runner does. The zero value of a field means its default;
// where zero has a meaning of its own, the field says so. The YAML keys of the
// same settings are in docs/configuration.md.
type Config struct {
	// Brokers are the bootstrap addresses, host:port. Required.
	Brokers []string
	// ClientID names this process to the brokers. Default: "pitlane".
	ClientID string
	// Group is the consumer group. Required.
	Group string
	// Topics are the input topics, or patterns that start with "^". At least one.
	Topics []Topic
	// Start is where a topic without any commit of the group starts: earliest
	// (default), latest or none (an error for the partition).
	Start Start
	// Members is the number of group members in this process. Default 1.
	Members int
	// Concurrency bounds the attempts that run at the same time in this process,
	// in every ordering. Default 64.
	Concurrency int
	// ProcessorTimeout ends the context of an attempt that runs longer. Zero:
	// no limit.
	ProcessorTimeout time.Duration
	// Batch shapes the batches of a BatchProcessor.
	Batch Batch
	// BufferMaxBytes is the memory for messages in this process, client queues
	// included. Default 64 MiB.
	BufferMaxBytes int64
	// Pause says how failures hold a partition.
	Pause Pause
	// Delivery says how sent records are delivered.
	Delivery Delivery
	// CommitInterval is the time between commits. Default 1 s.
	CommitInterval time.Duration
	// Rebalance says how the group hands partitions over.
	Rebalance Rebalance
	// SlowAfter is when a running attempt is reported as slow, once, with its
	// stack. Default 60 s; ProcessorTimeout takes its place when it is set.
	SlowAfter time.Duration
	// StartTimeout bounds the wait for brokers and named topics at start.
	// Default 60 s.
	StartTimeout time.Duration
	// FailureGrace bounds how long a configuration failure (unknown output
	// topic, not authorised) may last before the runner gives up. Default 10 min.
	FailureGrace time.Duration
	// Shutdown bounds the stop.
	Shutdown Shutdown
	// Isolation is the isolation level of reads: read_committed (default) or
	// read_uncommitted.
	Isolation Isolation
	// Feed chooses how messages come out of the client. Default FeedAuto.
	Feed Feed
	// Client, Consumer and Producer are raw librdkafka properties for both
	// clients, the consumers and the producer. Those that would break a promise
	// are refused. TLS and SASL settings go here too.
	Client, Consumer, Producer map[string]string
	// Events takes state changes. Default: dropped.
	Events event.Sink
	// Logger is what the processor's Setup gets. Default: dropped.
	Logger *slog.Logger
}

// Topic is one subscription with its own settings.
type Topic struct {
	// Name is a topic name, or a regular expression that starts with "^".
	Name string
	// Pause and Batch, if not nil, take the place of the runner's for this topic,
	// as a whole: what they leave out has its own default.
	Pause *Pause
	Batch *Batch
}

// Start is where a topic without a commit starts.
type Start string

// The values of Start.
const (
	StartEarliest Start = "earliest"
	StartLatest   Start = "latest"
	StartNone     Start = "none"
)

// Isolation is the isolation level of reads.
type Isolation string

// The values of Isolation.
const (
	ReadCommitted   Isolation = "read_committed"
	ReadUncommitted Isolation = "read_uncommitted"
)

// Feed is how messages come out of the client.
type Feed string

// The values of Feed: one client queue per partition, the client's Poll, or the
// first where it can be had.
const (
	FeedAuto  Feed = "auto"
	FeedQueue Feed = "queue"
	FeedPoll  Feed = "poll"
)

// Batch shapes batches: a batch is handed over when one limit is reached, or
// MaxWait after its first message.
type Batch struct {
	// MaxMessages: default 500.
	MaxMessages int
	// MaxWait: default 20 ms.
	MaxWait time.Duration
	// MaxBytes of keys, values and headers: default 4 MiB. A larger message is a
	// batch of its own.
	MaxBytes int64
}

// OnExhausted is what follows when a unit failed for good.
type OnExhausted string

// The values of OnExhausted.
const (
	// ExhaustedPause holds the partition until an operator resumes it or the
	// assignment ends.
	ExhaustedPause OnExhausted = "pause"
	// ExhaustedSkip settles the unit, counted and logged.
	ExhaustedSkip OnExhausted = "skip"
	// ExhaustedStop stops the runner.
	ExhaustedStop OnExhausted = "stop"
)

// Pause says how a failure holds its partition.
type Pause struct {
	// Initial is the ceiling of the first back-off. Default 1 s.
	Initial time.Duration
	// Max is the ceiling of all. Default 1 min.
	Max time.Duration
	// Multiplier is how the ceiling grows. Default 2; at least 1.
	Multiplier float64
	// Jitter is the share of the ceiling that is drawn at random: 1 is full
	// jitter (default), 0 none. Nil means the default.
	Jitter *float64
	// MaxAttempts is how often a unit runs before OnExhausted follows. Zero:
	// for ever.
	MaxAttempts int
	// OnExhausted: default ExhaustedPause.
	OnExhausted OnExhausted
}

// Delivery says how sent records are delivered.
type Delivery struct {
	// Timeout is the client's message time-out. Default 120 s, at least 60 s.
	Timeout time.Duration
	// LateAfter is when a missing report holds its lane. Default 10 s.
	LateAfter time.Duration
	// MaxOutstanding is how many units of a lane may wait for reports. Default
	// 1000; 1 waits for each.
	MaxOutstanding int
}

// Protocol is the group protocol.
type Protocol string

// The values of Protocol.
const (
	ProtocolClassic  Protocol = "classic"
	ProtocolConsumer Protocol = "consumer" // KIP-848
)

// Rebalance says how the group hands partitions over.
type Rebalance struct {
	// Protocol: default classic.
	Protocol Protocol
	// Assignor of the classic protocol: cooperative-sticky (default), range or
	// roundrobin.
	Assignor string
	// Drain bounds the wait for running attempts when a partition is revoked.
	// Default 5 s.
	Drain time.Duration
	// SessionTimeout of the classic protocol. Default 15 s.
	SessionTimeout time.Duration
	// InstanceID is the static membership id, classic protocol only; with
	// Members above 1 the member's index is appended.
	InstanceID string
}

// Shutdown bounds the stop.
type Shutdown struct {
	// Drain bounds the wait for running attempts. Default 16 s; at least 8 s
	// below Deadline.
	Drain time.Duration
	// Deadline bounds the whole stop. Default 25 s.
	Deadline time.Duration
}
