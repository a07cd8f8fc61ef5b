package consumerset

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pitlane-go/pitlane/event"
)

// Start is where a topic without any commit of the group starts.
type Start string

// The values of Start.
const (
	StartEarliest Start = "earliest"
	StartLatest   Start = "latest"
	StartNone     Start = "none"
)

// FeedKind is how messages come out of the client.
type FeedKind string

// The values of FeedKind: one client queue per partition, the client's Poll, or
// the first where it can be had.
const (
	FeedAuto  FeedKind = "auto"
	FeedQueue FeedKind = "queue"
	FeedPoll  FeedKind = "poll"
)

// Protocol is the group protocol.
type Protocol string

// The values of Protocol.
const (
	ProtocolClassic  Protocol = "classic"
	ProtocolConsumer Protocol = "consumer" // KIP-848
)

// Defaults and limits of Config.
const (
	MembersDefault        = 1
	BufferDefault         = 64 << 20
	CommitIntervalDefault = time.Second
	DrainDefault          = 5 * time.Second
	SessionTimeoutDefault = 15 * time.Second
	HookTimeoutDefault    = 10 * time.Second
)

// Config says what a Set does. The zero value of a field means its default.
type Config struct {
	// Brokers are the bootstrap addresses. Required.
	Brokers []string
	// ClientID names the members; with more than one the index is appended.
	// Default: "pitlane".
	ClientID string
	// Group is the consumer group. Required.
	Group string
	// Topics are names, or patterns that start with "^". At least one.
	Topics []string
	// Partitions is how many partitions the topics have, all of which one member
	// may get: it divides the buffer. Default 1.
	Partitions int
	// Start: default earliest. StartLatest holds for a topic without any commit of
	// the group; a partition that is added later starts at earliest.
	Start Start
	// Members is the number of group members. Default 1.
	Members int
	// Feed: default FeedAuto.
	Feed FeedKind
	// BufferMaxBytes is the memory for messages of all members; half of it is
	// given to the clients' queues. Default 64 MiB.
	BufferMaxBytes int64
	// CommitInterval is the time between commits. Default 1 s.
	CommitInterval time.Duration
	// Protocol: default classic.
	Protocol Protocol
	// Assignor of the classic protocol: cooperative-sticky (default), range or
	// roundrobin.
	Assignor string
	// Drain bounds the wait for running attempts in a revoke. Default 5 s.
	Drain time.Duration
	// SessionTimeout of the classic protocol. Default 15 s.
	SessionTimeout time.Duration
	// InstanceID is the static membership id, classic protocol only; with more
	// than one member the index is appended.
	InstanceID string
	// ReadUncommitted reads records of open and aborted transactions too.
	ReadUncommitted bool
	// HookTimeout bounds OnAssigned, OnLost and, at a stop, OnRevoked; the end of
	// the member bounds them too. Default 10 s.
	HookTimeout time.Duration
	// Properties are raw properties of the client on top of Properties; those
	// that CheckProperty refuses are errors.
	Properties map[string]string

	// StartLane makes the lane of an assignment; the member runs it. Required. It
	// is called on the member's goroutine and must not block.
	StartLane func(Assignment) Lane
	// Hooks are the user's callbacks.
	Hooks Hooks
	// Events takes state changes. Default: dropped.
	Events event.Sink
	// Unhealthy is told of trouble that an operator should know of, and Healthy
	// that the trouble with this reason is over; both may be told again. They must
	// not block. Default: nobody is told.
	Unhealthy func(reason string, cause error)
	Healthy   func(reason string)
	// Failed is told at once when a member ends by itself. It must not block, nor
	// call the set. Default: only Run tells.
	Failed func(err error)
	// Log takes the client's own log lines: level is that of syslog. It must not
	// block. Default: dropped.
	Log func(level int, facility, message string)
}

func (c Config) withDefaults() Config {
	if c.ClientID == "" {
		c.ClientID = "pitlane"
	}
	if c.Partitions == 0 {
		c.Partitions = 1
	}
	if c.Start == "" {
		c.Start = StartEarliest
	}
	if c.Members == 0 {
		c.Members = MembersDefault
	}
	if c.Feed == "" {
		c.Feed = FeedAuto
	}
	if c.BufferMaxBytes == 0 {
		c.BufferMaxBytes = BufferDefault
	}
	if c.CommitInterval == 0 {
		c.CommitInterval = CommitIntervalDefault
	}
	if c.Protocol == "" {
		c.Protocol = ProtocolClassic
	}
	if c.Assignor == "" {
		c.Assignor = "cooperative-sticky"
	}
	if c.Drain == 0 {
		c.Drain = DrainDefault
	}
	if c.SessionTimeout == 0 {
		c.SessionTimeout = SessionTimeoutDefault
	}
	if c.HookTimeout == 0 {
		c.HookTimeout = HookTimeoutDefault
	}
	return c.withSinks()
}

func (c Config) withSinks() Config {
	if c.Events == nil {
		c.Events = event.Discard
	}
	if c.Unhealthy == nil {
		c.Unhealthy = func(string, error) {}
	}
	if c.Healthy == nil {
		c.Healthy = func(string) {}
	}
	if c.Failed == nil {
		c.Failed = func(error) {}
	}
	if c.Log == nil {
		c.Log = func(int, string, string) {}
	}
	return c
}

func (c Config) validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if len(c.Brokers) == 0 {
		bad("Brokers: at least one address is needed")
	}
	if c.Group == "" {
		bad("Group: a name is needed")
	}
	if len(c.Topics) == 0 {
		bad("Topics: at least one is needed")
	}
	if c.StartLane == nil {
		bad("StartLane: a function is needed")
	}
	if c.Partitions < 1 || c.Members < 1 {
		bad("Partitions, Members: at least 1, not %d and %d", c.Partitions, c.Members)
	}
	if c.BufferMaxBytes < 0 || c.CommitInterval < 0 || c.Drain < 0 || c.SessionTimeout < 0 || c.HookTimeout < 0 {
		bad("BufferMaxBytes, CommitInterval, Drain, SessionTimeout, HookTimeout: must not be negative")
	}
	switch c.Start {
	case StartEarliest, StartLatest, StartNone:
	default:
		bad("Start: %q is not earliest, latest or none", c.Start)
	}
	switch c.Feed {
	case FeedAuto, FeedQueue, FeedPoll:
	default:
		bad("Feed: %q is not auto, queue or poll", c.Feed)
	}
	return errors.Join(append(errs, c.validateGroup(), c.validateProperties())...)
}

func (c Config) validateGroup() error {
	switch c.Protocol {
	case ProtocolClassic:
		switch c.Assignor {
		case "cooperative-sticky", "range", "roundrobin":
		default:
			return fieldError("Assignor", "%q is not cooperative-sticky, range or roundrobin", c.Assignor)
		}
	case ProtocolConsumer:
		if c.InstanceID != "" {
			return fieldError("InstanceID", "static membership needs the classic protocol: "+
				"with KIP-848 a restarted member is refused for good (unreleased instance id)")
		}
	default:
		return fieldError("Protocol", "%q is not classic or consumer", c.Protocol)
	}
	return nil
}

// fieldError starts with the field's name, as all problems of a Config do.
func fieldError(field, format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{field}, args...)...)
}

func (c Config) validateProperties() error {
	var errs []error
	for name, value := range c.Properties {
		if err := CheckProperty(name, value); err != nil {
			errs = append(errs, fmt.Errorf("Properties: %w", err))
		}
	}
	if v, ok := c.Properties["max.poll.interval.ms"]; ok {
		least := 3 * (8*time.Second + c.Drain)
		if ms, err := strconv.Atoi(strings.TrimSpace(v)); err == nil && time.Duration(ms)*time.Millisecond < least {
			errs = append(errs, fmt.Errorf("Properties: %w", &PropertyError{
				"max.poll.interval.ms", v,
				fmt.Sprintf("at least %d (three times 8 s and rebalance.drain): a rebalance must fit into a third of it", least.Milliseconds()),
			}))
		}
	}
	return errors.Join(errs...)
}

// memberName is how a member is called in events and to the brokers.
func (c Config) memberName(i int) string { return c.indexed(c.ClientID, i) }

func (c Config) indexed(name string, i int) string {
	if c.Members == 1 || name == "" {
		return name
	}
	return fmt.Sprintf("%s-%d", name, i)
}
