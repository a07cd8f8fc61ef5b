package consumerset

import (
	"maps"
	"strconv"
	"strings"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

const (
	// fetchMin and fetchMax bound what one partition may have queued in the
	// client; more brings no throughput.
	fetchMin = 64 << 10
	fetchMax = 1 << 20
)

// Properties returns the properties of the client of the first member: Pitlane's
// defaults, what follows from the configuration, and the user's own on top.
func Properties(cfg Config) map[string]string {
	cfg = cfg.withDefaults()
	return cfg.properties(0)
}

func (c Config) properties(member int) map[string]string {
	p := map[string]string{
		"bootstrap.servers": strings.Join(c.Brokers, ","),
		"client.id":         c.memberName(member),
		"group.id":          c.Group,
		"isolation.level":   "read_committed",

		// Positions are ours: the client would commit what it has handed out, and
		// Close with stored offsets hangs without bound when nobody answers.
		"enable.auto.offset.store": "false",
		"enable.auto.commit":       "false",
		"auto.offset.reset":        "error",

		// A fast consumer is capped by the default of 1000; 0 is worse than 10.
		"fetch.queue.backoff.ms": "10",
		"fetch.wait.max.ms":      "100",

		"topic.metadata.refresh.interval.ms": "30000",
		"metadata.recovery.strategy":         "rebootstrap",
		"socket.timeout.ms":                  "10000",
		"socket.connection.setup.timeout.ms": "5000",
		"reconnect.backoff.max.ms":           "2000",
		"socket.keepalive.enable":            "true",
		"enable.metrics.push":                "false",
		"statistics.interval.ms":             "1000",
		"max.poll.interval.ms":               "300000",
	}
	if c.ReadUncommitted {
		p["isolation.level"] = "read_uncommitted"
	}
	c.groupProperties(p, member)
	c.fetchProperties(p)
	maps.Copy(p, c.Properties)
	return p
}

func (c Config) groupProperties(p map[string]string, member int) {
	p["group.protocol"] = string(c.Protocol)
	if c.Protocol == ProtocolConsumer {
		return // sessions, heartbeats and assignors are the broker's then
	}
	p["partition.assignment.strategy"] = c.Assignor
	p["session.timeout.ms"] = strconv.FormatInt(c.SessionTimeout.Milliseconds(), 10)
	p["heartbeat.interval.ms"] = strconv.FormatInt(c.SessionTimeout.Milliseconds()/5, 10)
	if c.InstanceID != "" {
		p["group.instance.id"] = c.indexed(c.InstanceID, member)
	}
}

// fetchProperties gives half of the buffer to the clients' queues. With a queue per
// partition the limit holds for each of them; properties are fixed when the client
// is made, so the division is for the worst case, one member that gets everything.
func (c Config) fetchProperties(p map[string]string) {
	one := c.partitionBytes()
	p["max.partition.fetch.bytes"] = strconv.FormatInt(one, 10)
	if c.Feed == FeedPoll {
		// One queue for all; the other quarter is in the feeds.
		one = max(c.BufferMaxBytes/4/int64(c.Members), fetchMin)
	}
	p["queued.max.messages.kbytes"] = strconv.FormatInt(one>>10, 10)
}

// partitionBytes is what one partition may have queued in the client.
func (c Config) partitionBytes() int64 {
	return min(max(c.BufferMaxBytes/2/int64(c.Partitions), fetchMin), fetchMax)
}

// feedBytes is what one partition may have queued in a feed that Poll fills.
func (c Config) feedBytes() int64 {
	return min(max(c.BufferMaxBytes/4/int64(c.Partitions), fetchMin), fetchMax)
}

// configMap is what the binding takes.
func configMap(properties map[string]string) *kafka.ConfigMap {
	m := kafka.ConfigMap{}
	for k, v := range properties {
		m[k] = v
	}
	return &m
}
