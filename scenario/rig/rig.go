package rig

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/cluster"
	"github.com/pitlane-go/pitlane/kafkatest/proxy"
)

// Config says what a test needs.
type Config struct {
	// Brokers is 1 (default) or 3.
	Brokers int
	// Partitions of the input and the output topic. Default 6.
	Partitions int
	// OutputConfig are properties of the output topic.
	OutputConfig map[string]string
	// Proxied puts proxies between the processes and the brokers. A cluster has
	// room for one set of them: such a test must not run beside another one.
	Proxied bool
}

// Rig is the world of one test: topics, a group and a history of its own.
type Rig struct {
	Suite   *Suite
	Cluster *cluster.Cluster
	Input   string
	Output  string
	Group   string
	// Proxies is nil without Config.Proxied. The rig itself does not go through
	// them.
	Proxies *proxy.Set

	t          *testing.T
	dir        string
	partitions int
	produced   *kafkatest.History
	filled     int64
	topics     []string // that were filled
	procs      []*Process

	outputConfig map[string]string
	rounds       int
}

// New makes a rig: its topics are there when it returns.
func (s *Suite) New(t *testing.T, cfg Config) *Rig {
	t.Helper()
	if cfg.Brokers == 0 {
		cfg.Brokers = 1
	}
	if cfg.Partitions == 0 {
		cfg.Partitions = 6
	}
	name := strings.ToLower(strings.NewReplacer("/", "-", " ", "-", "_", "-").Replace(t.Name())) + "-" +
		strconv.FormatInt(time.Now().UnixNano(), 36)
	r := &Rig{
		Suite: s, Cluster: s.Cluster(t, cfg.Brokers),
		Input: name + ".in", Output: name + ".out", Group: name,
		t: t, dir: t.TempDir(), partitions: cfg.Partitions, produced: kafkatest.NewHistory(),
		outputConfig: cfg.OutputConfig,
	}
	r.topic(r.Input, nil)
	r.topic(r.Output, cfg.OutputConfig)
	if cfg.Proxied {
		w := r.Cluster.World(0)
		r.Proxies = proxy.StartSet(t, proxy.SetConfig{Listen: w.Advertised, Upstream: w.Listen})
	}
	return r
}

// Topic makes a further topic, with as many partitions as the others.
func (r *Rig) Topic(name string) {
	r.t.Helper()
	r.topic(name, nil)
}

func (r *Rig) topic(name string, config map[string]string) {
	r.t.Helper()
	err := r.Cluster.CreateTopic(r.t.Context(), cluster.TopicSpec{Name: name, Partitions: r.partitions, Config: config})
	if err != nil {
		r.t.Fatal(err)
	}
}

// Path is a file in the rig's directory.
func (r *Rig) Path(name string) string { return filepath.Join(r.dir, name) }

// valueBytes is the size of an input value.
const valueBytes = 100

// Fill writes n more messages, spread over the partitions in turn. Ids go up
// from 1 over all calls; key and the front of the value are the id.
func (r *Rig) Fill(n int) {
	r.t.Helper()
	r.FillTopic(r.Input, n)
}

// FillTopic is Fill for a topic that Topic has made.
func (r *Rig) FillTopic(topic string, n int) {
	r.t.Helper()
	r.fill(r.t.Context(), topic, n, func(id int64) int32 { return int32(id % int64(r.partitions)) })
}

// FillOne writes n more messages to one partition.
func (r *Rig) FillOne(n int, partition int32) {
	r.t.Helper()
	r.fill(r.t.Context(), r.Input, n, func(int64) int32 { return partition })
}

// fillChunk is how many records one Produce call takes.
const fillChunk = 100_000

func (r *Rig) fill(ctx context.Context, topic string, n int, to func(id int64) int32) {
	r.t.Helper()
	if !slices.Contains(r.topics, topic) {
		r.topics = append(r.topics, topic)
	}
	for n > 0 {
		recs := make([]cluster.Record, min(n, fillChunk))
		n -= len(recs)
		for i := range recs {
			r.filled++
			v := make([]byte, valueBytes)
			copy(v, fmt.Sprintf("%020d", r.filled))
			recs[i] = cluster.Record{Partition: to(r.filled), Key: strconv.AppendInt(nil, r.filled, 10), Value: v}
		}
		if err := r.Cluster.Produce(ctx, topic, recs); err != nil {
			r.t.Fatal(err)
		}
		for i := range recs {
			id := r.filled - int64(len(recs)) + int64(i) + 1
			r.produced.Produced(id, kafkatest.Position{Topic: topic, Partition: recs[i].Partition, Offset: recs[i].Offset}, "")
		}
	}
}

// Filled is how many messages were written.
func (r *Rig) Filled() int64 { return r.filled }
