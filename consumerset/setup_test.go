package consumerset_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/consumerset"
)

// rig is an embedded broker with a topic, and sets that read it.
type rig struct {
	t       *testing.T
	brokers []string
	topic   string
	feed    consumerset.FeedKind
	kgo     *kgo.Client
	adm     *kadm.Client
	fake    *kfake.Cluster
	journal *journal
	events  *events
	commits *commits
}

const patience = 30 * time.Second

// feeds are the two ways to get messages: a test of behaviour runs with both, since
// the rest of a member must not know which one it has.
func feeds() []consumerset.FeedKind {
	return []consumerset.FeedKind{consumerset.FeedQueue, consumerset.FeedPoll}
}

func setup(t *testing.T, partitions int32) *rig {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, "in"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	k, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	r := &rig{
		t: t, brokers: c.ListenAddrs(), topic: "in", kgo: k, adm: kadm.NewClient(k), fake: c,
		journal: newJournal(), events: &events{changed: make(chan struct{})},
		commits: &commits{at: map[int32][]int64{}},
	}
	c.ControlKey(int16(kmsg.OffsetCommit), r.commits.watch(c))
	return r
}

// produce writes n records to each partition, starting with number from.
func (r *rig) produce(partitions int32, from, n int) {
	r.t.Helper()
	var rs []*kgo.Record
	for i := range n {
		for p := range partitions {
			rs = append(rs, &kgo.Record{Topic: r.topic, Partition: p, Value: fmt.Appendf(nil, "%d-%d", p, from+i)})
		}
	}
	if err := r.kgo.ProduceSync(r.t.Context(), rs...).FirstErr(); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) config() consumerset.Config {
	return consumerset.Config{
		Brokers: r.brokers, Group: "g", Topics: []string{r.topic}, ClientID: "c", Feed: r.feed,
		CommitInterval: 50 * time.Millisecond,
		StartLane:      func(a consumerset.Assignment) consumerset.Lane { return newTestLane(a, r.journal) },
		Events:         r.events.take,
	}
}

// started is a set that runs.
type started struct {
	*consumerset.Set
	rig *rig
	err chan error
}

func (r *rig) start(cfg consumerset.Config) *started {
	r.t.Helper()
	s, err := consumerset.New(cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	st := &started{Set: s, rig: r, err: make(chan error, 1)}
	go func() { st.err <- s.Run(context.Background()) }()
	return st
}

// stop goes through both steps and returns how it ended.
func (s *started) stop() consumerset.Result {
	s.rig.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.Drain(ctx); err != nil {
		s.rig.t.Errorf("drain: %v", err)
	}
	res := s.Close(ctx)
	if err := <-s.err; err != nil {
		s.rig.t.Errorf("run: %v", err)
	}
	return res
}

// until waits for the journal.
func (r *rig) until(what string, ready func() bool) {
	r.t.Helper()
	end, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	if !r.journal.when(end.Done(), ready) {
		r.t.Fatalf("no %s after %v: %d messages, %d again, %v\n%v",
			what, patience, r.journal.total, r.journal.again, r.journal.wrong, r.events.all())
	}
}

// committed returns the group's offsets by partition.
func (r *rig) committed() map[int32]int64 {
	r.t.Helper()
	offs, err := r.adm.FetchOffsets(r.t.Context(), "g")
	if err != nil {
		r.t.Fatal(err)
	}
	out := map[int32]int64{}
	offs.Each(func(o kadm.OffsetResponse) { out[o.Partition] = o.At })
	return out
}

func (r *rig) check() {
	r.t.Helper()
	r.journal.mu.Lock()
	defer r.journal.mu.Unlock()
	for _, w := range r.journal.wrong {
		r.t.Error(w)
	}
}
