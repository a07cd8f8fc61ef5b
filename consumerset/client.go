package consumerset

import (
	"errors"
	"fmt"
	"maps"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/consumerset/queue"
)

// client is what a member uses of *kafka.Consumer. It is never polled after Close.
type client interface {
	Poll(timeoutMs int) kafka.Event
	SubscribeTopics(topics []string, cb kafka.RebalanceCb) error
	GetRebalanceProtocol() string
	AssignmentLost() bool

	Assign(ps []kafka.TopicPartition) error
	Unassign() error
	IncrementalAssign(ps []kafka.TopicPartition) error
	IncrementalUnassign(ps []kafka.TopicPartition) error
	Pause(ps []kafka.TopicPartition) error
	Resume(ps []kafka.TopicPartition) error

	StoreOffsets(ps []kafka.TopicPartition) ([]kafka.TopicPartition, error)
	Commit() ([]kafka.TopicPartition, error)
	offsetReader

	Close() error
}

// offsetReader is the part of the client that lookups use, beside the loop.
type offsetReader interface {
	Committed(ps []kafka.TopicPartition, timeoutMs int) ([]kafka.TopicPartition, error)
	OffsetsForTimes(ps []kafka.TopicPartition, timeoutMs int) ([]kafka.TopicPartition, error)
	GetMetadata(topic *string, allTopics bool, timeoutMs int) (*kafka.Metadata, error)
}

// opened is a new client with what belongs to it.
type opened struct {
	client client
	source source
	// ended is called once the client is closed, or given up.
	ended func()
}

// open makes the client of a member and chooses its source of messages: a queue per
// partition where the client gives them out, else Poll.
func open(cfg Config, index int) (opened, error) {
	o, err := openAs(cfg, index, cfg.Feed != FeedPoll)
	if errors.Is(err, queue.ErrUnavailable) && cfg.Feed == FeedAuto {
		cfg.Feed = FeedPoll // also divides the memory in another way
		return openAs(cfg, index, false)
	}
	return o, err
}

func openAs(cfg Config, index int, queues bool) (opened, error) {
	// The client's log is read by us: it would go to standard error otherwise.
	logs := make(chan kafka.LogEvent, logBacklog)
	m := maps.Clone(*configMap(cfg.properties(index)))
	m["go.logs.channel.enable"] = true
	m["go.logs.channel"] = logs
	c, err := kafka.NewConsumer(&m)
	if err != nil {
		return opened{}, &ClientSetupError{cfg.memberName(index), err}
	}
	o := opened{client: c, ended: forwardLogs(logs, cfg.Log)}
	if !queues {
		o.source = newPollSource(c, cfg.feedBytes())
		return o, nil
	}
	hub, err := queue.NewHub(c)
	if err != nil {
		errClose := c.Close()
		o.ended()
		return opened{}, &ClientSetupError{cfg.memberName(index), errors.Join(err, errClose)}
	}
	o.source = &queueSource{hub: hub}
	return o, nil
}

// logBacklog is how many log lines may wait: a storm of them is rather dropped than
// let the client wait.
const logBacklog = 100

// forwardLogs hands log lines on until the returned function is called. The channel
// is never closed: the client may still write to it when it is given up.
func forwardLogs(logs <-chan kafka.LogEvent, to func(int, string, string)) (end func()) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case l := <-logs:
				to(l.Level, l.Tag, l.Message)
			case <-stop:
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-done
	}
}

// stale is for messages that come from a place where none may come from.
func stale(topic string, partition int32, offset int64) error {
	return fmt.Errorf("%w: %s[%d] at offset %d", ErrStray, topic, partition, offset)
}
