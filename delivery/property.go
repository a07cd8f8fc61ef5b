package delivery

import (
	"maps"
	"strconv"
	"strings"
)

const (
	bootstrapServers = "bootstrap.servers"
	messageTimeout   = "message.timeout.ms"
	messageMax       = "message.max.bytes"
	queueMaxKbytes   = "queue.buffering.max.kbytes"

	// messageMaxBytesDefault is librdkafka's default of message.max.bytes.
	messageMaxBytesDefault = 1_000_000
)

// Properties returns the librdkafka properties that a Producer made from cfg
// has: the defaults of this room with cfg.Properties over them, under their
// first names (delivery.timeout.ms, say, is an alias of message.timeout.ms).
// Refused properties are left out; New answers them with an error.
func Properties(cfg Config) map[string]string {
	cfg = cfg.withDefaults()
	user := make(map[string]string, len(cfg.Properties))
	for name, value := range cfg.Properties {
		if CheckProperty(name, value) == nil {
			user[canonical(name)] = value
		}
	}
	properties := defaults(cfg, user)
	maps.Copy(properties, user)
	return properties
}

// defaults are the properties that Pitlane sets by itself.
func defaults(cfg Config, user map[string]string) map[string]string {
	return map[string]string{
		"acks":               "all",
		"enable.idempotence": "true",
		messageTimeout:       strconv.FormatInt(cfg.Timeout.Milliseconds(), 10),
		// Below socket.timeout.ms: the broker gives up before the connection does.
		"request.timeout.ms": "8000",
		"linger.ms":          "5",
		// At librdkafka's 60 s a moved leader costs 51 to 56 s, at 10 s 0.5 to 6 s.
		"socket.timeout.ms":                  "10000",
		"socket.connection.setup.timeout.ms": "5000",
		"socket.keepalive.enable":            "true",
		// Recovery after an outage is bounded by it.
		"reconnect.backoff.max.ms": "2000",
		// With none, brokers that come back at other addresses are never found.
		"metadata.recovery.strategy": "rebootstrap",
		queueMaxKbytes:               strconv.FormatInt(queueKbytes(cfg, user), 10),
		// What Java clients use, so that keys land in the same partitions.
		"partitioner":            "murmur2_random",
		"statistics.interval.ms": "5000",
		"enable.metrics.push":    "false",
		// librdkafka's lines on standard error say what its error events say, and
		// those become events of this room. With debug set it logs anyway.
		"log_level": "2",
		// Reports wait here for the one goroutine that drains them; enough for it
		// to work in bursts. The binding's default is a million slots.
		"go.events.channel.size": "1000",
		// Never used, and it must exist.
		"go.produce.channel.size": "1",
		// A report carries the handle's id; key and value would be copied for nothing.
		"go.delivery.report.fields": "none",
	}
}

// queueKbytes is the producer's share of the buffer, but room for one record of
// the largest size at least.
func queueKbytes(cfg Config, properties map[string]string) int64 {
	oneRecord := (messageMaxBytes(properties) + 1023) / 1024
	return max(cfg.withDefaults().BufferMaxBytes/4/1024, oneRecord)
}

func messageMaxBytes(properties map[string]string) int64 {
	if size, err := strconv.ParseInt(properties[messageMax], 10, 64); err == nil {
		return size
	}
	return messageMaxBytesDefault
}

// canonical is the first name of a property that has two: given under both, the
// client would take either.
func canonical(name string) string {
	switch name {
	case "metadata.broker.list":
		return bootstrapServers
	case "delivery.timeout.ms":
		return messageTimeout
	case "request.required.acks":
		return "acks"
	case "queue.buffering.max.ms":
		return "linger.ms"
	case "compression.codec":
		return "compression.type"
	case "message.send.max.retries":
		return "retries"
	case "max.in.flight.requests.per.connection":
		return "max.in.flight"
	case "sasl.mechanisms":
		return "sasl.mechanism"
	}
	return name
}

// isTrue reads a boolean as librdkafka does.
func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "t", "1":
		return true
	}
	return false
}
