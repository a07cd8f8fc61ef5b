package proxy_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/kafkatest/cluster"
	"github.com/pitlane-go/pitlane/kafkatest/proxy"
)

// world is a cluster with proxies and a client that knows only the proxies.
type world struct {
	cluster *cluster.Cluster
	proxies *proxy.Set
	client  *kgo.Client
}

func start(t *testing.T, brokers int) (context.Context, world) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	c := cluster.Start(t, cluster.Config{Brokers: brokers, ExtraListeners: 1})
	w := c.World(0)
	set := proxy.StartSet(t, proxy.SetConfig{Listen: w.Advertised, Upstream: w.Listen})
	must(t, c.CreateTopic(ctx, cluster.TopicSpec{Name: "topic", Partitions: 3}))
	return ctx, world{cluster: c, proxies: set, client: newClient(t, set)}
}

func newClient(t *testing.T, set *proxy.Set, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	client, err := kgo.NewClient(append(opts,
		kgo.SeedBrokers(set.Bootstrap()...),
		kgo.DefaultProduceTopic("topic"),
		kgo.RecordPartitioner(kgo.ManualPartitioner()))...)
	must(t, err)
	t.Cleanup(client.Close)
	return client
}

func TestOneRealBrokerBehindAProxy(t *testing.T) {
	ctx, w := start(t, 1)
	t.Run("records pass and requests are counted", func(t *testing.T) { recordsPass(ctx, t, w) })
	t.Run("a held produce request is acknowledged after the release", func(t *testing.T) { heldProduce(ctx, t, w) })
	t.Run("a commit's response is rewritten", func(t *testing.T) { rewrittenCommit(ctx, t, w) })
	t.Run("a produce without acks leaves no response waiting", func(t *testing.T) { withoutAcks(ctx, t, w) })
	t.Run("all frames survive being decoded and encoded", func(t *testing.T) { allRewritten(ctx, t, w) })
	for name, fault := range map[string]func() error{
		"black hole": func() error { w.proxies.Blackhole(); return nil },
		"refusal":    func() error { w.proxies.Refuse(); return nil },
		"SYN drop":   w.proxies.DropSYN,
	} {
		t.Run("a record waits for the end of a "+name, func(t *testing.T) { recordWaits(ctx, t, w, fault) })
	}
}

func recordsPass(ctx context.Context, t *testing.T, w world) {
	t.Helper()
	must(t, w.client.ProduceSync(ctx, &kgo.Record{Value: []byte("a")}, &kgo.Record{Partition: 2, Value: []byte("b")}).FirstErr())
	got, err := w.cluster.ReadAll(ctx, "topic")
	must(t, err)
	if len(got) != 2 {
		t.Errorf("read %d records, want 2", len(got))
	}
	for _, key := range []kmsg.Key{kmsg.ApiVersions, kmsg.Metadata, kmsg.Produce} {
		if w.proxies.Requests(key) == 0 {
			t.Errorf("no %s request was counted", key.Name())
		}
	}
}

func heldProduce(ctx context.Context, t *testing.T, w world) {
	t.Helper()
	held := w.proxies.CatchRequest(kmsg.Produce)
	acked := make(chan error, 1)
	before, err := w.cluster.EndOffsets(ctx, "topic")
	must(t, err)
	w.client.Produce(ctx, &kgo.Record{Partition: 1, Value: []byte("held")}, func(_ *kgo.Record, err error) { acked <- err })
	r := <-held.Caught()
	req, err := r.Decode()
	must(t, err)
	if produce := req.(*kmsg.ProduceRequest); produce.Acks != -1 {
		t.Errorf("decoded acks %d, want -1", produce.Acks)
	}
	after, err := w.cluster.EndOffsets(ctx, "topic")
	must(t, err)
	if after[1] != before[1] {
		t.Error("the broker has the record of a held request")
	}
	held.Release()
	must(t, <-acked)
}

func rewrittenCommit(ctx context.Context, t *testing.T, w world) {
	t.Helper()
	off := w.proxies.OnResponse(kmsg.OffsetCommit, func(r *proxy.Response) proxy.Action {
		resp, err := r.Decode()
		if err != nil {
			t.Error(err)
			return proxy.Pass()
		}
		for _, topic := range resp.(*kmsg.OffsetCommitResponse).Topics {
			for i := range topic.Partitions {
				topic.Partitions[i].ErrorCode = kerr.IllegalGeneration.Code
			}
		}
		return proxy.Answer(resp)
	})
	var offsets kadm.Offsets
	offsets.AddOffset("topic", 0, 1, -1)
	admin := kadm.NewClient(w.client)
	if err := admin.CommitAllOffsets(ctx, "group", offsets); !errors.Is(err, kerr.IllegalGeneration) {
		t.Errorf("commit: %v, want %v", err, kerr.IllegalGeneration)
	}
	commits, err := w.cluster.Commits(ctx, "group")
	must(t, err)
	if len(commits) != 1 || commits[0].Offset != 1 {
		t.Errorf("the broker has commits %+v: the request must have passed", commits)
	}
	off()
	must(t, admin.CommitAllOffsets(ctx, "group", offsets))
}

func withoutAcks(ctx context.Context, t *testing.T, w world) {
	t.Helper()
	client := newClient(t, w.proxies, kgo.RequiredAcks(kgo.NoAck()), kgo.DisableIdempotentWrite())
	for range 3 {
		must(t, client.ProduceSync(ctx, &kgo.Record{Value: []byte("no acks")}).FirstErr())
	}
	// On the same connections: an answer still has its place.
	_, err := kadm.NewClient(client).ListEndOffsets(ctx, "topic")
	must(t, err)
}

func allRewritten(ctx context.Context, t *testing.T, w world) {
	t.Helper()
	offRequest := w.proxies.OnRequest(proxy.AnyKey, func(r *proxy.Request) proxy.Action {
		req, err := r.Decode()
		if err != nil {
			t.Error(err)
			return proxy.Pass()
		}
		return proxy.Rewrite(req)
	})
	defer offRequest()
	offResponse := w.proxies.OnResponse(proxy.AnyKey, func(r *proxy.Response) proxy.Action {
		resp, err := r.Decode()
		if err != nil {
			t.Error(err)
			return proxy.Pass()
		}
		return proxy.Answer(resp)
	})
	defer offResponse()
	client := newClient(t, w.proxies, kgo.ConsumerGroup("rewritten"), kgo.ConsumeTopics("topic"))
	must(t, client.ProduceSync(ctx, &kgo.Record{Value: []byte("rewritten")}).FirstErr())
	fetches := client.PollFetches(ctx)
	must(t, fetches.Err())
	must(t, client.CommitUncommittedOffsets(ctx))
	client.Close()
}

func recordWaits(ctx context.Context, t *testing.T, w world, fault func() error) {
	t.Helper()
	must(t, fault())
	acked := make(chan error, 1)
	w.client.Produce(ctx, &kgo.Record{Value: []byte("late")}, func(_ *kgo.Record, err error) { acked <- err })
	select {
	case err := <-acked:
		t.Fatalf("acknowledged during the fault: %v", err)
	case <-time.After(quiet):
	}
	must(t, w.proxies.Heal())
	must(t, <-acked)
}

func TestTheLeaderBehindAProxyMovesAmongThreeRealBrokers(t *testing.T) {
	ctx, w := start(t, 3)
	for to := 1; to <= 3; to++ {
		must(t, w.cluster.MoveLeader(ctx, "topic", 0, to))
		before := w.proxies.Broker(to).Requests(kmsg.Produce)
		must(t, w.client.ProduceSync(ctx, &kgo.Record{Value: []byte("to the leader")}).FirstErr())
		if w.proxies.Broker(to).Requests(kmsg.Produce) == before {
			t.Errorf("the proxy of broker %d has seen no produce request", to)
		}
	}
	got, err := w.cluster.ReadAll(ctx, "topic")
	must(t, err)
	if len(got) != 3 {
		t.Errorf("read %d records, want 3", len(got))
	}
}
