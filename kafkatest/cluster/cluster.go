package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Cluster is a running Kafka cluster.
type Cluster struct {
	cfg     Config
	dir     string
	ports   ports
	nodes   []*node
	block   *portBlock
	watcher *watcher
	client  *kgo.Client
	admin   *kadm.Client

	closeFunc func() error // once
}

// Start runs a cluster for one test and closes it at the test's end. It fails the
// test when the cluster does not come up.
func Start(t testing.TB, cfg Config) *Cluster {
	t.Helper()
	c, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatalf("start kafka cluster: %v", err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("close kafka cluster: %v", err)
		}
	})
	return c
}

// Run starts a cluster and returns when all brokers serve and groups can be
// joined. The context bounds the start only; the caller has to call Close.
func Run(ctx context.Context, cfg Config) (*Cluster, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	java, err := findJava()
	if err != nil {
		return nil, err
	}
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	libs, err := libs(ctx, cache)
	if err != nil {
		return nil, err
	}
	c := &Cluster{cfg: cfg, ports: ports{brokers: cfg.Brokers, worlds: cfg.ExtraListeners}}
	c.closeFunc = sync.OnceValue(c.shutdown)
	ctx, cancel := context.WithTimeoutCause(ctx, cfg.StartTimeout, errors.New("start timeout of the cluster is over"))
	defer cancel()
	if err := c.start(ctx, java, cache, libs); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context, java, cache, libs string) error {
	var err error
	if c.block, err = reservePorts(filepath.Join(cache, "ports"), c.ports.count()); err != nil {
		return err
	}
	c.ports.base = c.block.base
	if c.dir, err = os.MkdirTemp("", "pitlane-kafka-"); err != nil {
		return fmt.Errorf("create data directory: %w", err)
	}
	if c.watcher, err = startWatcher(c.dir); err != nil {
		return err
	}
	if err := c.prepare(ctx, java, libs); err != nil {
		return err
	}
	for _, n := range c.nodes {
		if err := n.start(); err != nil {
			return err
		}
	}
	if err := c.connect(); err != nil {
		return err
	}
	return c.ready(ctx)
}

// prepare writes the brokers' directories.
func (c *Cluster) prepare(ctx context.Context, java, libs string) error {
	j, err := newJVM(java, libs, c.dir)
	if err != nil {
		return err
	}
	for id := 1; id <= c.cfg.Brokers; id++ {
		n := &node{id: id, dir: filepath.Join(c.dir, strconv.Itoa(id)), jvm: j, cfg: c.cfg}
		if err := os.Mkdir(n.dir, 0o750); err != nil {
			return fmt.Errorf("create directory of broker %d: %w", id, err)
		}
		text := properties(c.cfg, c.ports, id, n.dataDir())
		if err := os.WriteFile(n.configFile(), []byte(text), 0o600); err != nil {
			return fmt.Errorf("write properties of broker %d: %w", id, err)
		}
		c.nodes = append(c.nodes, n)
	}
	return format(ctx, j, c.nodes)
}

// Close kills the brokers, removes their data and gives the ports back. Further
// calls return the first one's result.
func (c *Cluster) Close() error { return c.closeFunc() }

func (c *Cluster) shutdown() error {
	var errs []error
	if c.client != nil {
		c.client.Close()
	}
	if c.watcher != nil {
		errs = append(errs, c.watcher.stop())
	}
	for _, n := range c.nodes {
		n.mu.Lock()
		if n.proc != nil {
			<-n.proc.doneCh // the watcher has killed it
		}
		n.mu.Unlock()
	}
	if c.dir != "" {
		// Without a watcher there is nobody else; after it there is nothing left.
		errs = append(errs, os.RemoveAll(c.dir))
	}
	if c.block != nil {
		errs = append(errs, c.block.release())
	}
	return errors.Join(errs...)
}

// Brokers is the number of brokers; their ids begin at 1.
func (c *Cluster) Brokers() int { return c.cfg.Brokers }

// Bootstrap are the direct addresses of all brokers.
func (c *Cluster) Bootstrap() []string {
	var out []string
	for id := 1; id <= c.cfg.Brokers; id++ {
		out = append(out, c.Addr(id))
	}
	return out
}

// Addr is the direct address of one broker.
func (c *Cluster) Addr(broker int) string { return addr(c.ports.direct(broker)) }

// World returns the addresses of extra listener i, 0 is the first. It panics when
// Config.ExtraListeners is not above i.
func (c *Cluster) World(i int) World {
	if i < 0 || i >= c.cfg.ExtraListeners {
		panic(fmt.Sprintf("cluster: world %d of %d", i, c.cfg.ExtraListeners))
	}
	return c.ports.world(i)
}

// Dir is the directory with the brokers' data and logs (DIR/ID/log). It is gone
// after Close.
func (c *Cluster) Dir() string { return c.dir }
