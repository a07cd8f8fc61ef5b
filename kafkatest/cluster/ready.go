package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// pollInterval is how often a state of the cluster is asked for: Kafka has no way
// to be told of it.
const pollInterval = 50 * time.Millisecond

// requestTimeout bounds one question while a cluster starts: a broker that is
// about to serve may leave the first ones without an answer.
const requestTimeout = 3 * time.Second

// connect makes the client that the cluster itself uses, over the direct
// listeners.
func (c *Cluster) connect() error {
	client, err := kgo.NewClient(append(c.clientOpts(),
		kgo.ClientID("pitlane-cluster"),
		kgo.MetadataMinAge(pollInterval))...)
	if err != nil {
		return fmt.Errorf("create admin client: %w", err)
	}
	c.client, c.admin = client, kadm.NewClient(client)
	return nil
}

func (c *Cluster) clientOpts() []kgo.Opt {
	return []kgo.Opt{
		kgo.SeedBrokers(c.Bootstrap()...),
		kgo.RetryBackoffFn(func(int) time.Duration { return 2 * pollInterval }),
	}
}

// until asks again and again until the question is answered without an error. A
// broker's end is reported at once.
func (c *Cluster) until(ctx context.Context, ask func(context.Context) error) error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		askCtx, cancel := context.WithTimeout(ctx, requestTimeout)
		err := ask(askCtx)
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		}
	}
}

// ready waits until all brokers are in the metadata and every partition of the
// offsets topic has a coordinator that has loaded: then any group can start.
func (c *Cluster) ready(ctx context.Context) error {
	err := c.until(ctx, func(ctx context.Context) error {
		for _, n := range c.nodes {
			if err := n.alive(); err != nil {
				return err
			}
		}
		return c.allBrokersKnown(ctx)
	})
	if err == nil {
		err = c.until(ctx, c.coordinatorsLoaded)
	}
	if err == nil {
		return nil
	}
	return c.failed(err)
}

// failed wraps err with the brokers' logs: with those of the ended ones, if any.
func (c *Cluster) failed(err error) error {
	var ended, all []error
	for _, n := range c.nodes {
		if err := n.alive(); err != nil {
			ended = append(ended, err)
		}
		all = append(all, n.failed(err))
	}
	if len(ended) > 0 {
		return errors.Join(ended...)
	}
	return errors.Join(all...)
}

func (c *Cluster) allBrokersKnown(ctx context.Context) error {
	m, err := c.metadata(ctx, offsetsTopic)
	if err != nil {
		return err
	}
	if len(m.Brokers) != c.cfg.Brokers {
		return fmt.Errorf("metadata shows %d of %d brokers", len(m.Brokers), c.cfg.Brokers)
	}
	return nil
}

// coordinatorsLoaded asks each offsets partition for a group that lives on it.
func (c *Cluster) coordinatorsLoaded(ctx context.Context) error {
	// Asking for a coordinator makes the brokers create the topic.
	found := c.admin.FindGroupCoordinators(ctx, readyGroup(0))
	if err := found.Error(); err != nil {
		return fmt.Errorf("find group coordinator: %w", err)
	}
	n, err := c.offsetsPartitions(ctx)
	if err != nil {
		return err
	}
	for p := range n {
		if _, err := c.admin.FetchOffsets(ctx, groupOn(p, n)); err != nil {
			return fmt.Errorf("ask coordinator of offsets partition %d: %w", p, err)
		}
	}
	return nil
}

// rejoined waits until a restarted broker is known, serves, and is in sync for the
// offsets topic.
func (c *Cluster) rejoined(ctx context.Context, n *node) error {
	err := c.until(ctx, func(ctx context.Context) error {
		if err := n.alive(); err != nil {
			return err
		}
		m, err := c.metadata(ctx, offsetsTopic)
		if err != nil {
			return err
		}
		known := slices.ContainsFunc(m.Brokers, func(b kadm.BrokerDetail) bool { return int(b.NodeID) == n.id })
		if !known {
			return fmt.Errorf("broker %d is not in the metadata", n.id)
		}
		for _, p := range m.Topics[offsetsTopic].Partitions {
			if slices.Contains(p.Replicas, int32(n.id)) && !slices.Contains(p.ISR, int32(n.id)) {
				return fmt.Errorf("broker %d is not in sync for %s/%d", n.id, offsetsTopic, p.Partition)
			}
		}
		return nil
	})
	if err == nil {
		return nil
	}
	if ended := n.alive(); ended != nil {
		return ended
	}
	return n.failed(err)
}
