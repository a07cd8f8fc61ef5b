package runner

import (
	"log/slog"
	"time"

	"github.com/pitlane-go/pitlane/event"
)

// orDefault is the value, or its default where it is zero.
func orDefault[T comparable](value, def T) T {
	var zero T
	if value == zero {
		return def
	}
	return value
}

// WithDefaults returns a copy in which every field that was left out has its
// default.
func (c Config) WithDefaults() Config {
	c.ClientID = orDefault(c.ClientID, "pitlane")
	c.Start = orDefault(c.Start, StartEarliest)
	c.Members = orDefault(c.Members, 1)
	c.Concurrency = orDefault(c.Concurrency, 64)
	c.Batch = c.Batch.withDefaults()
	c.BufferMaxBytes = orDefault(c.BufferMaxBytes, 64<<20)
	c.Pause = c.Pause.withDefaults()
	c.Delivery.Timeout = orDefault(c.Delivery.Timeout, 120*time.Second)
	c.Delivery.LateAfter = orDefault(c.Delivery.LateAfter, 10*time.Second)
	c.Delivery.MaxOutstanding = orDefault(c.Delivery.MaxOutstanding, 1000)
	c.CommitInterval = orDefault(c.CommitInterval, time.Second)
	c.Rebalance = c.Rebalance.withDefaults()
	c.SlowAfter = orDefault(c.SlowAfter, orDefault(c.ProcessorTimeout, time.Minute))
	c.StartTimeout = orDefault(c.StartTimeout, time.Minute)
	c.FailureGrace = orDefault(c.FailureGrace, 10*time.Minute)
	c.Shutdown.Drain = orDefault(c.Shutdown.Drain, 16*time.Second)
	c.Shutdown.Deadline = orDefault(c.Shutdown.Deadline, 25*time.Second)
	c.Isolation = orDefault(c.Isolation, ReadCommitted)
	c.Feed = orDefault(c.Feed, FeedAuto)
	if c.Events == nil {
		c.Events = event.Discard
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	topics := make([]Topic, len(c.Topics))
	for i, t := range c.Topics {
		topics[i] = t.withDefaults(c)
	}
	c.Topics = topics
	return c
}

// withDefaults gives a topic the runner's settings where it has none of its own.
func (t Topic) withDefaults(c Config) Topic {
	p, b := c.Pause, c.Batch
	if t.Pause != nil {
		p = t.Pause.withDefaults()
	}
	if t.Batch != nil {
		b = t.Batch.withDefaults()
	}
	t.Pause, t.Batch = &p, &b
	return t
}

func (b Batch) withDefaults() Batch {
	b.MaxMessages = orDefault(b.MaxMessages, 500)
	b.MaxWait = orDefault(b.MaxWait, 20*time.Millisecond)
	b.MaxBytes = orDefault(b.MaxBytes, 4<<20)
	return b
}

func (p Pause) withDefaults() Pause {
	p.Initial = orDefault(p.Initial, time.Second)
	p.Max = orDefault(p.Max, time.Minute)
	p.Multiplier = orDefault(p.Multiplier, 2)
	p.OnExhausted = orDefault(p.OnExhausted, ExhaustedPause)
	if p.Jitter == nil {
		full := 1.0
		p.Jitter = &full
	}
	return p
}

func (r Rebalance) withDefaults() Rebalance {
	r.Protocol = orDefault(r.Protocol, ProtocolClassic)
	r.Assignor = orDefault(r.Assignor, "cooperative-sticky")
	r.Drain = orDefault(r.Drain, 5*time.Second)
	r.SessionTimeout = orDefault(r.SessionTimeout, 15*time.Second)
	return r
}
