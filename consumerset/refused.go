package consumerset

import (
	"strconv"
	"strings"
)

// CheckProperty returns a *PropertyError for a raw consumer property that would
// break a promise or that has a setting of its own, and nil for all others. Whether
// the client knows the property is found out when the client is made.
func CheckProperty(name, value string) error {
	if reason := refusal(strings.TrimSpace(name), strings.TrimSpace(value)); reason != "" {
		return &PropertyError{name, value, reason}
	}
	return nil
}

func refusal(name, value string) string {
	if strings.HasPrefix(name, "go.") {
		return "settings of the Go binding are Pitlane's: its channels would hand out stale messages"
	}
	if key, ok := ownSetting(name); ok {
		return "use the setting " + key
	}
	switch name {
	case "enable.auto.offset.store":
		return unless(value, "false", "the client would store offsets of messages that nobody has processed, and lose them")
	case "enable.auto.commit", "auto.commit.enable":
		return unless(value, "false", "positions are committed when messages are settled, and closing with automatic commits hangs without bound")
	case "auto.offset.reset":
		return unless(value, "error", "use the setting start: a silent jump is a loss")
	case "metadata.recovery.strategy":
		return unless(value, "rebootstrap", "brokers that come back at other addresses would never be found again")
	case "enable.partition.eof":
		return unless(value, "false", "nobody reads these events")
	case "statistics.interval.ms":
		if n, err := strconv.Atoi(value); err == nil && n == 0 {
			return "lag and health are read from the statistics: they cannot be off"
		}
	case "queued.max.messages.kbytes", "max.partition.fetch.bytes", "fetch.message.max.bytes":
		return "use the setting buffer.max_bytes: memory is bounded by dividing it among the partitions"
	}
	return ""
}

// ownSetting returns the setting that a property has in Pitlane.
func ownSetting(name string) (key string, ok bool) {
	switch name {
	case "bootstrap.servers", "metadata.broker.list":
		return "brokers", true
	case "client.id":
		return "client_id", true
	case "group.id":
		return "group", true
	case "group.protocol":
		return "rebalance.protocol", true
	case "group.instance.id":
		return "rebalance.instance_id (classic protocol only)", true
	case "partition.assignment.strategy", "group.remote.assignor":
		return "rebalance.assignor", true
	case "session.timeout.ms":
		return "rebalance.session_timeout", true
	case "isolation.level":
		return "isolation", true
	case "auto.commit.interval.ms":
		return "commit.interval", true
	}
	return "", false
}

func unless(value, allowed, reason string) string {
	if strings.EqualFold(value, allowed) {
		return ""
	}
	return "only " + allowed + ": " + reason
}
