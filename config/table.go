package config

import (
	"math"
	"strings"
	"time"

	"github.com/pitlane-go/pitlane/runner"
)

// Keys gives every setting, in the order of the documentation.
func Keys() []Key {
	var keys []Key
	for _, part := range [][]Key{
		groupKeys(), workKeys(), pauseKeys(), deliveryKeys(), timeKeys(), outsideKeys(), securityKeys(), rawKeys(),
	} {
		keys = append(keys, part...)
	}
	return keys
}

// defaults is the configuration before anything is read. brokers, group and
// topics have no default; the others are those of the runner.
func defaults() Config {
	return Config{
		Runner:    runner.Config{}.WithDefaults(),
		Ordering:  "partition",
		Log:       Log{Level: "info", Format: "auto"},
		Processor: Block{Path: "processor"},
		origins:   map[string]Origin{},
	}
}

func groupKeys() []Key {
	return []Key{
		listKey("brokers", func(c *Config) *[]string { return &c.Runner.Brokers }, checkBroker,
			"Bootstrap addresses, host:port. Required."),
		textKey("client_id", func(c *Config) *string { return &c.Runner.ClientID },
			"Names this process to the brokers."),
		textKey("group", func(c *Config) *string { return &c.Runner.Group },
			"The consumer group. Required."),
		topicsKey("topics",
			"What is read: topic names, patterns that start with `^`, or entries `{name, pause, batch}` whose `pause` and `batch` replace the keys of the same name for that topic. Required."),
		wordKey("start", []runner.Start{runner.StartEarliest, runner.StartLatest, runner.StartNone},
			func(c *Config) *runner.Start { return &c.Runner.Start },
			"Where a topic starts of which the group has no commit. `none` is an error for the partition."),
		wordKey("isolation", []runner.Isolation{runner.ReadCommitted, runner.ReadUncommitted},
			func(c *Config) *runner.Isolation { return &c.Runner.Isolation },
			"Whether records of open or aborted transactions are read."),
		intKey("members", span[int]{low: 1, high: 64}, func(c *Config) *int { return &c.Runner.Members },
			"Members of the group in this process. One serves all topics; more help only when one client cannot fetch fast enough."),
	}
}

func workKeys() []Key {
	return []Key{
		wordKey("ordering", []string{"partition"}, func(c *Config) *string { return &c.Ordering },
			"Messages of one partition run one after the other."),
		intKey("concurrency", span[int]{low: 1, high: 50_000}, func(c *Config) *int { return &c.Runner.Concurrency },
			"Attempts that run at the same time in this process. It is not a number of consumers."),
		durationKey("processor_timeout", span[time.Duration]{low: time.Millisecond, high: 24 * time.Hour, zeroToo: true},
			func(c *Config) *time.Duration { return &c.Runner.ProcessorTimeout },
			"When the context of an attempt ends. 0 is never."),
		intKey("batch.max_messages", span[int]{low: 1, high: 1_000_000}, func(c *Config) *int { return &c.Runner.Batch.MaxMessages },
			"Messages in a batch at most. Batch processors only."),
		durationKey("batch.max_wait", span[time.Duration]{low: time.Millisecond, high: time.Minute},
			func(c *Config) *time.Duration { return &c.Runner.Batch.MaxWait },
			"How long a batch waits for more after its first message."),
		sizeKey("batch.max_bytes", span[int64]{low: 1 << 10, high: 1 << 30}, func(c *Config) *int64 { return &c.Runner.Batch.MaxBytes },
			"Keys, values and headers of a batch at most; a larger message is a batch of its own."),
		sizeKey("buffer.max_bytes", span[int64]{low: 1 << 20, high: 1 << 36}, func(c *Config) *int64 { return &c.Runner.BufferMaxBytes },
			"Memory for messages in this process, the client's queues included."),
	}
}

func pauseKeys() []Key {
	return []Key{
		durationKey("pause.initial", span[time.Duration]{low: time.Millisecond, high: 24 * time.Hour},
			func(c *Config) *time.Duration { return &c.Runner.Pause.Initial },
			"Ceiling of the first back-off after a failure."),
		durationKey("pause.max", span[time.Duration]{low: time.Millisecond, high: 24 * time.Hour},
			func(c *Config) *time.Duration { return &c.Runner.Pause.Max },
			"Ceiling of every back-off; at least `pause.initial`."),
		floatKey("pause.multiplier", span[float64]{low: 1, high: 100}, func(c *Config) *float64 { return &c.Runner.Pause.Multiplier },
			"How the ceiling grows from one failure to the next."),
		floatKey("pause.jitter", span[float64]{low: 0, high: 1}, func(c *Config) *float64 { return c.Runner.Pause.Jitter },
			"Share of the ceiling that is drawn at random: 1 is full jitter, 0 none."),
		intKey("pause.max_attempts", span[int]{low: 0, high: 1_000_000}, func(c *Config) *int { return &c.Runner.Pause.MaxAttempts },
			"Runs of a message or batch before `pause.on_exhausted` follows. 0 is for ever."),
		wordKey("pause.on_exhausted", []runner.OnExhausted{runner.ExhaustedPause, runner.ExhaustedSkip, runner.ExhaustedStop},
			func(c *Config) *runner.OnExhausted { return &c.Runner.Pause.OnExhausted },
			"What follows then, and after a permanent failure: `pause` holds the partition until its assignment ends, `skip` goes on without the message, `stop` stops the runner."),
	}
}

func deliveryKeys() []Key {
	return []Key{
		durationKey("delivery.timeout", span[time.Duration]{low: time.Minute, high: 24 * time.Hour},
			func(c *Config) *time.Duration { return &c.Runner.Delivery.Timeout },
			"The client's message time-out. A time-out shorter than an outage makes duplicates of acknowledged records, which is why a minute is the least."),
		durationKey("delivery.late_after", span[time.Duration]{low: 100 * time.Millisecond, high: time.Hour},
			func(c *Config) *time.Duration { return &c.Runner.Delivery.LateAfter },
			"When a missing delivery report holds the partition; below `delivery.timeout`."),
		intKey("delivery.max_outstanding", span[int]{low: 1, high: 1_000_000}, func(c *Config) *int { return &c.Runner.Delivery.MaxOutstanding },
			"Messages or batches of a partition that may wait for delivery reports. 1 waits for each, and keeps first copies in order too."),
		durationKey("commit.interval", span[time.Duration]{low: 10 * time.Millisecond, high: 5 * time.Minute},
			func(c *Config) *time.Duration { return &c.Runner.CommitInterval },
			"Time between commits."),
		wordKey("rebalance.protocol", []runner.Protocol{runner.ProtocolClassic, runner.ProtocolConsumer},
			func(c *Config) *runner.Protocol { return &c.Runner.Rebalance.Protocol },
			"The group protocol; `consumer` is KIP-848 and needs brokers of version 4.0."),
		wordKey("rebalance.assignor", []string{"cooperative-sticky", "range", "roundrobin"},
			func(c *Config) *string { return &c.Runner.Rebalance.Assignor },
			"The assignor of the classic protocol."),
		durationKey("rebalance.drain", span[time.Duration]{low: 100 * time.Millisecond, high: 90 * time.Second},
			func(c *Config) *time.Duration { return &c.Runner.Rebalance.Drain },
			"How long running attempts may go on when a partition is given back."),
		durationKey("rebalance.session_timeout", span[time.Duration]{low: 6 * time.Second, high: 30 * time.Minute},
			func(c *Config) *time.Duration { return &c.Runner.Rebalance.SessionTimeout },
			"When the group gives up a member that is not heard of; classic protocol (with KIP-848 the broker decides)."),
		textKey("rebalance.instance_id", func(c *Config) *string { return &c.Runner.Rebalance.InstanceID },
			"Static membership, classic protocol only; with several members their index is appended."),
	}
}

func timeKeys() []Key {
	return []Key{
		durationKey("watchdog.slow_after", span[time.Duration]{low: time.Second, high: 24 * time.Hour},
			func(c *Config) *time.Duration { return &c.Runner.SlowAfter },
			"When a running attempt is logged as slow, once, with its stack. `processor_timeout` takes its place when it is set."),
		durationKey("start_timeout", span[time.Duration]{low: time.Second, high: time.Hour},
			func(c *Config) *time.Duration { return &c.Runner.StartTimeout },
			"How long the start waits for brokers and for the topics that are named."),
		durationKey("failure_grace", span[time.Duration]{low: time.Second, high: 24 * time.Hour},
			func(c *Config) *time.Duration { return &c.Runner.FailureGrace },
			"How long an unknown output topic or a missing right may last before the runner gives up with exit code 4."),
		durationKey("shutdown.drain", span[time.Duration]{low: 100 * time.Millisecond, high: time.Hour},
			func(c *Config) *time.Duration { return &c.Runner.Shutdown.Drain },
			"How long running attempts may go on at a stop; at least 8s below `shutdown.deadline`."),
		durationKey("shutdown.deadline", span[time.Duration]{low: shutdownRest, high: time.Hour},
			func(c *Config) *time.Duration { return &c.Runner.Shutdown.Deadline },
			"When a stop is over, whatever the brokers and the processor do."),
		wordKey("feed", []runner.Feed{runner.FeedAuto, runner.FeedQueue, runner.FeedPoll},
			func(c *Config) *runner.Feed { return &c.Runner.Feed },
			"How messages come out of the client: from a queue per partition, by polling, or the first where it can be had."),
	}
}

func outsideKeys() []Key {
	return []Key{
		wordKey("log.level", []string{"debug", "info", "warn", "error"}, func(c *Config) *string { return &c.Log.Level },
			"The least level that is logged."),
		wordKey("log.format", []string{"auto", "console", "json"}, func(c *Config) *string { return &c.Log.Format },
			"`auto` is `console` on a terminal, else `json`."),
	}
}

func securityKeys() []Key {
	password := func(key Key) Key {
		key.Secret = true
		return key
	}
	return []Key{
		boolKey("tls.enabled", func(c *Config) *bool { return &c.TLS.Enabled },
			"Encrypts the connections. Any other key of `tls` switches it on too."),
		textKey("tls.ca", func(c *Config) *string { return &c.TLS.CA },
			"File with the authorities that are trusted (PEM); without it those of the system."),
		textKey("tls.cert", func(c *Config) *string { return &c.TLS.Cert },
			"File with the client's certificate (PEM); with `tls.key`."),
		textKey("tls.key", func(c *Config) *string { return &c.TLS.Key },
			"File with the client's private key (PEM)."),
		textKey("tls.key_password_file", func(c *Config) *string { return &c.TLS.KeyPasswordFile },
			"File with the password of the key."),
		password(textKey("tls.key_password", func(c *Config) *string { return &c.TLS.keyPassword },
			"The password itself, from the environment only.")),
		boolKey("tls.insecure_skip_verify", func(c *Config) *bool { return &c.TLS.InsecureSkipVerify },
			"Accepts any certificate: for tests."),
		wordKey("sasl.mechanism", []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}, func(c *Config) *string { return &c.SASL.Mechanism },
			"How the process authenticates. Empty: not at all. Other mechanisms are set by `client` properties."),
		textKey("sasl.username", func(c *Config) *string { return &c.SASL.Username },
			"The user's name."),
		textKey("sasl.password_file", func(c *Config) *string { return &c.SASL.PasswordFile },
			"File with the password; a line end after it is cut off."),
		password(textKey("sasl.password", func(c *Config) *string { return &c.SASL.password },
			"The password itself, from the environment only.")),
	}
}

func rawKeys() []Key {
	return []Key{
		propertiesKey(RoleClient, func(c *Config) *map[string]string { return &c.Runner.Client },
			"librdkafka properties for all clients. Those that would break a promise are refused."),
		propertiesKey(RoleConsumer, func(c *Config) *map[string]string { return &c.Runner.Consumer },
			"librdkafka properties for the consumers."),
		propertiesKey(RoleProducer, func(c *Config) *map[string]string { return &c.Runner.Producer },
			"librdkafka properties for the producer."),
		blockKey("processor", func(c *Config) *Block { return &c.Processor },
			"The processor's own settings. In the stock program: the name of a processor and its settings."),
	}
}

// checkBroker says what is wrong with a bootstrap address, or "".
func checkBroker(s string) string {
	if strings.Contains(s, "://") {
		return "is a URL; write host:port"
	}
	host, port, ok := splitAddress(s)
	if !ok || host == "" || strings.ContainsAny(s, " ,") {
		return "is not host:port; such as localhost:9092"
	}
	if n, err := parseInt(port); err != nil || n < 1 || n > math.MaxUint16 {
		return "has no valid port; it wants 1 to 65535"
	}
	return ""
}
