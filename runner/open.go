package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// Roles of client properties.
const (
	roleConsumer = "consumer"
	roleProducer = "producer"
	roleAdmin    = "admin"
)

// properties are the raw properties that a role's client gets from the
// configuration: what is for all clients, and over it what is for this one.
func (c Config) properties(role string) map[string]string {
	out := map[string]string{
		"bootstrap.servers": strings.Join(c.Brokers, ","),
		"client.id":         c.ClientID,
	}
	maps.Copy(out, c.Client)
	switch role {
	case roleConsumer:
		maps.Copy(out, c.Consumer)
	case roleProducer:
		maps.Copy(out, c.Producer)
	}
	return out
}

// Properties returns the effective client properties by role ("consumer",
// "producer"), as the clients of this configuration get them.
func (c Config) Properties() map[string]map[string]string {
	c = c.WithDefaults()
	return map[string]map[string]string{
		roleConsumer: consumerset.Properties(c.consumers(1)),
		roleProducer: delivery.Properties(c.delivery()),
	}
}

// AdminProperties are the raw properties of an admin client of this configuration.
func (c Config) AdminProperties() map[string]string { return c.properties(roleAdmin) }

// consumers configures the consumer set. Its functions are set by open.
func (c Config) consumers(partitions int) consumerset.Config {
	raw := c.properties(roleConsumer)
	delete(raw, "bootstrap.servers") // the room sets these from its own fields
	delete(raw, "client.id")
	return consumerset.Config{
		Brokers: c.Brokers, ClientID: c.ClientID, Group: c.Group, Topics: c.TopicNames(),
		Partitions: partitions, Start: consumerset.Start(c.Start), Members: c.Members,
		Feed: consumerset.FeedKind(c.Feed), BufferMaxBytes: c.BufferMaxBytes,
		CommitInterval: c.CommitInterval, Protocol: consumerset.Protocol(c.Rebalance.Protocol),
		Assignor: c.Rebalance.Assignor, Drain: c.Rebalance.Drain,
		SessionTimeout: c.Rebalance.SessionTimeout, InstanceID: c.Rebalance.InstanceID,
		ReadUncommitted: c.Isolation == ReadUncommitted, Properties: raw, Events: c.Events,
	}
}

func (c Config) delivery() delivery.Config {
	return delivery.Config{
		Properties: c.properties(roleProducer), Timeout: c.Delivery.Timeout,
		BufferMaxBytes: c.BufferMaxBytes, Events: c.Events,
	}
}

// open makes the producer and the consumer set. Nothing is consumed yet.
func (r *Runner) open(ctx context.Context, partitions int) error {
	sending := r.cfg.delivery()
	sending.Events = r.producerEvent
	p, err := delivery.New(sending)
	if err != nil {
		return err
	}
	cfg := r.cfg.consumers(partitions)
	cfg.StartLane = r.startLane
	cfg.Unhealthy, cfg.Healthy = r.health.bad, r.health.good
	cfg.Failed = func(err error) { r.end(memberFailed(err)) }
	if r.hooks.HasAssignmentHooks() {
		cfg.Hooks = consumerset.Hooks{
			OnAssigned: r.hooks.OnAssigned, OnRevoked: quiet(r.hooks.OnRevoked), OnLost: quiet(r.hooks.OnLost),
		}
	}
	set, err := consumerset.New(cfg)
	if err != nil {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return errors.Join(err, p.Close(ctx))
	}
	r.mu.Lock()
	r.producer, r.set = p, set
	r.mu.Unlock()
	return nil
}

// producerEvent passes a producer's event on. After a fatal error nothing can be sent
// any more: every attempt that sends would be repeated for ever.
func (r *Runner) producerEvent(at time.Time, e event.Event) {
	r.cfg.Events(at, e)
	if c, ok := e.(event.ClientError); ok && c.Fatal {
		r.end(&GaveUpError{fmt.Errorf("the producer failed for good: %w", c.Cause)})
	}
}

// memberFailed says what a member's end means for the process: one whose client
// could not be made never started; any other has given up.
func memberFailed(err error) error {
	if _, ok := errors.AsType[*consumerset.ClientSetupError](err); ok {
		return &StartError{err}
	}
	return &GaveUpError{fmt.Errorf("a consumer failed: %w", err)}
}

// quiet makes a hook without a result of one whose error can only be a panic,
// which is raised again for the caller to report.
func quiet(f func(context.Context, []processor.Partition) error) func(context.Context, []processor.Partition) {
	return func(ctx context.Context, ps []processor.Partition) {
		if err := f(ctx, ps); err != nil {
			panic(err)
		}
	}
}
