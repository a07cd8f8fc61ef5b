package consumerset_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/consumerset"
)

func valid() consumerset.Config {
	return consumerset.Config{
		Brokers: []string{"b:9092"}, Group: "g", Topics: []string{"t"},
		StartLane: func(consumerset.Assignment) consumerset.Lane { return nil },
	}
}

func TestAllProblemsOfAConfigurationAreToldAtOnce(t *testing.T) {
	t.Parallel()
	_, err := consumerset.New(consumerset.Config{
		Partitions: -1, Start: "now", Feed: "push", Assignor: "best",
		Properties: map[string]string{"enable.auto.commit": "true"},
	})
	if err == nil {
		t.Fatal("accepted")
	}
	for _, field := range []string{"Brokers", "Group", "Topics", "StartLane", "Partitions", "Start", "Feed", "Assignor", "enable.auto.commit"} {
		if !strings.Contains(err.Error(), field) {
			t.Errorf("%s is not named in: %v", field, err)
		}
	}
}

func TestRefusedCombinations(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*consumerset.Config){
		"static membership with KIP-848": func(c *consumerset.Config) {
			c.Protocol, c.InstanceID = consumerset.ProtocolConsumer, "a"
		},
		"poll interval too short": func(c *consumerset.Config) {
			c.Properties = map[string]string{"max.poll.interval.ms": "30000"}
		},
		"poll interval too short for a long drain": func(c *consumerset.Config) {
			c.Drain, c.Properties = time.Minute, map[string]string{"max.poll.interval.ms": "120000"}
		},
		"unknown protocol": func(c *consumerset.Config) { c.Protocol = "new" },
		"negative time":    func(c *consumerset.Config) { c.CommitInterval = -1 },
	} {
		cfg := valid()
		change(&cfg)
		if _, err := consumerset.New(cfg); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := consumerset.New(valid()); err != nil {
		t.Error(err)
	}
}

func TestPropertiesThatBreakAPromiseAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"enable.auto.offset.store": "true", "enable.auto.commit": "true", "auto.commit.enable": "true",
		"auto.offset.reset": "latest", "metadata.recovery.strategy": "none", "enable.partition.eof": "true",
		"group.instance.id": "x", "partition.assignment.strategy": "range", "isolation.level": "read_uncommitted",
		"go.events.channel.enable": "true", "go.application.rebalance.enable": "true", "bootstrap.servers": "x",
		"metadata.broker.list": "x", "client.id": "x", "group.id": "x", "group.protocol": "consumer",
		"session.timeout.ms": "1", "statistics.interval.ms": "0", "max.partition.fetch.bytes": "1",
		"queued.max.messages.kbytes": "1", "auto.commit.interval.ms": "1", "group.remote.assignor": "x",
	} {
		err := consumerset.CheckProperty(name, value)
		var pe *consumerset.PropertyError
		if !errors.As(err, &pe) || pe.Reason == "" || pe.Name != name {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
	for name, value := range map[string]string{
		"enable.auto.offset.store": "false", "auto.offset.reset": "error", "fetch.min.bytes": "1",
		"ssl.ca.location": "x", "metadata.recovery.strategy": "rebootstrap", "statistics.interval.ms": "5000",
	} {
		if err := consumerset.CheckProperty(name, value); err != nil {
			t.Error(err)
		}
	}
}

func TestTheBufferIsDividedAmongThePartitions(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		partitions   int
		feed         consumerset.FeedKind
		fetch, queue string
	}{
		{1, consumerset.FeedQueue, "1048576", "1024"},
		{64, consumerset.FeedQueue, "524288", "512"},
		{100_000, consumerset.FeedQueue, "65536", "64"},
		{64, consumerset.FeedPoll, "524288", "16384"}, // one queue for all
	} {
		cfg := valid()
		cfg.Partitions, cfg.Feed = tc.partitions, tc.feed
		p := consumerset.Properties(cfg)
		if p["max.partition.fetch.bytes"] != tc.fetch || p["queued.max.messages.kbytes"] != tc.queue {
			t.Errorf("%d, %s: %s and %s", tc.partitions, tc.feed, p["max.partition.fetch.bytes"], p["queued.max.messages.kbytes"])
		}
	}
}

func TestThePropertiesOfTheGroupFollowTheProtocol(t *testing.T) {
	t.Parallel()
	cfg := valid()
	cfg.InstanceID = "a"
	p := consumerset.Properties(cfg)
	for k, want := range map[string]string{
		"session.timeout.ms": "15000", "heartbeat.interval.ms": "3000", "group.instance.id": "a",
		"partition.assignment.strategy": "cooperative-sticky", "enable.auto.offset.store": "false",
		"enable.auto.commit": "false", "auto.offset.reset": "error", "isolation.level": "read_committed",
	} {
		if p[k] != want {
			t.Errorf("%s=%s, not %s", k, p[k], want)
		}
	}
	cfg = valid()
	cfg.Protocol, cfg.ReadUncommitted = consumerset.ProtocolConsumer, true
	cfg.Properties = map[string]string{"fetch.min.bytes": "7", "fetch.wait.max.ms": "50"}
	p = consumerset.Properties(cfg)
	for _, k := range []string{"session.timeout.ms", "heartbeat.interval.ms", "partition.assignment.strategy"} {
		if v, ok := p[k]; ok {
			t.Errorf("%s=%s, which KIP-848 refuses", k, v)
		}
	}
	if p["fetch.min.bytes"] != "7" || p["fetch.wait.max.ms"] != "50" || p["isolation.level"] != "read_uncommitted" {
		t.Errorf("%v", p)
	}
}
