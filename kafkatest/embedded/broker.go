package embedded

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Broker is a running cluster of embedded brokers.
type Broker struct {
	// set at construction
	cluster *kfake.Cluster
	client  *kgo.Client
	admin   *kadm.Client
	addrs   []string
	wire    *wire
	commits *commitLog
	forget  func() bool // takes stop off the context of Run
	once    sync.Once
}

// TB is the part of testing.TB that Start needs.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(f func())
	Context() context.Context
}

// Start starts brokers for a test and closes them after it.
func Start(t TB, cfg Config) *Broker {
	t.Helper()
	b, err := Run(context.WithoutCancel(t.Context()), cfg)
	if err != nil {
		t.Fatalf("%v", err)
		return nil
	}
	t.Cleanup(b.Close)
	return b
}

// Run starts brokers. They run until Close or until ctx ends.
func Run(ctx context.Context, cfg Config) (*Broker, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, fmt.Errorf("start embedded broker: %w", err)
	}
	b := &Broker{wire: newWire(), commits: &commitLog{}}
	b.wire.answeredFunc = b.commits.answered
	cluster, err := kfake.NewCluster(append(cfg.options(), kfake.ListenFn(b.wire.listen))...)
	if err != nil {
		return nil, fmt.Errorf("start embedded broker: %w", err)
	}
	b.cluster, b.addrs = cluster, slices.Clone(cluster.ListenAddrs())
	b.commits.watch(cluster)
	if err := b.connect(); err != nil {
		cluster.Close()
		return nil, fmt.Errorf("start embedded broker: %w", err)
	}
	b.forget = context.AfterFunc(ctx, b.stop)
	return b, nil
}

func (b *Broker) connect() error {
	client, err := kgo.NewClient(
		kgo.SeedBrokers(b.addrs...),
		kgo.RecordPartitioner(explicitOrByKey()),
		kgo.ClientID("embedded"),
	)
	if err != nil {
		return fmt.Errorf("make client: %w", err)
	}
	b.client, b.admin = client, kadm.NewClient(client)
	return nil
}

// Close stops the brokers. It may be called more than once.
func (b *Broker) Close() {
	b.forget()
	b.stop()
}

func (b *Broker) stop() {
	b.once.Do(func() {
		b.client.Close()
		b.cluster.Close()
	})
}

// Bootstrap returns the addresses of all brokers, as bootstrap.servers takes them.
func (b *Broker) Bootstrap() string { return strings.Join(b.addrs, ",") }

// Addrs returns the brokers' addresses.
func (b *Broker) Addrs() []string { return slices.Clone(b.addrs) }

// Cluster returns the fake cluster itself, for what this package does not wrap.
func (b *Broker) Cluster() *kfake.Cluster { return b.cluster }
