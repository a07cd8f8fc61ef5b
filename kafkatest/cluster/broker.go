package cluster

import (
	"context"
	"errors"
	"fmt"
	"syscall"
)

// Kill ends a broker at once (SIGKILL), frozen or not, and returns when it is gone.
// The cluster notices when the broker's session ends, after 9 s
// (broker.session.timeout.ms); a restart has to wait for that too.
func (c *Cluster) Kill(ctx context.Context, broker int) error {
	n, err := c.node(broker)
	if err != nil {
		return err
	}
	return n.end(ctx, syscall.SIGKILL)
}

// Stop asks a broker to end in order (SIGTERM): it moves its leaderships away
// first. It returns when the broker is gone.
func (c *Cluster) Stop(ctx context.Context, broker int) error {
	n, err := c.node(broker)
	if err != nil {
		return err
	}
	return n.end(ctx, syscall.SIGTERM)
}

// Freeze stops a broker's process (SIGSTOP): its sockets stay open and answer
// nothing. When it returns, nothing more is answered.
func (c *Cluster) Freeze(broker int) error {
	n, err := c.node(broker)
	if err != nil {
		return err
	}
	return n.freeze()
}

// Thaw lets a frozen broker go on (SIGCONT).
func (c *Cluster) Thaw(broker int) error {
	n, err := c.node(broker)
	if err != nil {
		return err
	}
	return n.thaw()
}

// FreezeAll freezes all brokers that run.
func (c *Cluster) FreezeAll() error { return c.eachRunning((*node).freeze) }

// ThawAll thaws all brokers that run.
func (c *Cluster) ThawAll() error { return c.eachRunning((*node).thaw) }

// Restart starts a stopped broker again, with the same data and ports, and returns
// when it is back in the cluster: the other brokers know it and it leads or
// follows the offsets topic.
func (c *Cluster) Restart(ctx context.Context, broker int) error {
	n, err := c.node(broker)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.cfg.StartTimeout, fmt.Errorf("start timeout of broker %d is over", broker))
	defer cancel()
	if err := n.start(); err != nil {
		return err
	}
	return c.rejoined(ctx, n)
}

func (c *Cluster) node(broker int) (*node, error) {
	if broker < 1 || broker > len(c.nodes) {
		return nil, fmt.Errorf("%w: %d of %d", ErrNoBroker, broker, len(c.nodes))
	}
	return c.nodes[broker-1], nil
}

func (c *Cluster) eachRunning(do func(*node) error) error {
	var errs []error
	for _, n := range c.nodes {
		if err := do(n); err != nil && !errors.Is(err, ErrNotRunning) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
