package embedded_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/embedded"
)

func newAdmin(t *testing.T, b *embedded.Broker) *kadm.Client {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(b.Addrs()...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return kadm.NewClient(client)
}

// commit commits an offset of partition 0 from outside the group.
func commit(ctx context.Context, admin *kadm.Client, offset int64) error {
	var os kadm.Offsets
	os.Add(kadm.Offset{Topic: "in", Partition: 0, At: offset, LeaderEpoch: -1})
	return admin.CommitAllOffsets(ctx, "g", os)
}

func offsetsOf(commits []embedded.Commit) []int64 {
	var out []int64
	for _, c := range commits {
		out = append(out, c.Position.Offset)
	}
	return out
}

func TestARefusedCommitIsNotACommit(t *testing.T) {
	ctx := deadline(t)
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"in": 1}})
	admin := newAdmin(t, b)
	if err := commit(ctx, admin, 1); err != nil {
		t.Fatal(err)
	}
	fault, err := b.FailNext(kmsg.OffsetCommit, kerr.TopicAuthorizationFailed.Code, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := commit(ctx, admin, 2); !errors.Is(err, kerr.TopicAuthorizationFailed) || fault.Hits() != 1 {
		t.Fatalf("the refused commit: %v after %d hits", err, fault.Hits())
	}
	if err := commit(ctx, admin, 3); err != nil {
		t.Fatal(err)
	}
	if got := offsetsOf(b.Commits()); len(got) != 2 || got[0] != 1 || got[1] != 3 {
		t.Fatalf("commits %v", got)
	}
	h := kafkatest.NewHistory()
	b.NoteCommits(h, "g")
	b.NoteCommits(h, "another")
	if h.Len() != 2 {
		t.Fatalf("the history has %d commits", h.Len())
	}
}

func TestAHeldRequestArrivesWhenItIsLetGo(t *testing.T) {
	ctx := deadline(t)
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"in": 1}})
	admin := newAdmin(t, b)
	hold := b.Hold(kmsg.OffsetCommit, 1)
	doneCh := make(chan error, 1) // one result
	go func() { doneCh <- commit(ctx, admin, 7) }()
	if err := hold.Wait(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if got := b.CommittedOffsets("g", "in"); len(got) != 0 || len(b.Commits()) != 0 {
		t.Fatalf("a held commit arrived: %v", got)
	}
	select {
	case err := <-doneCh:
		t.Fatalf("a held commit was answered: %v", err)
	default:
	}
	hold.Remove()
	if err := <-doneCh; err != nil {
		t.Fatal(err)
	}
	if got := offsetsOf(b.Commits()); len(got) != 1 || got[0] != 7 || b.Requests(kmsg.OffsetCommit) != 1 {
		t.Fatalf("commits %v of %d requests", got, b.Requests(kmsg.OffsetCommit))
	}
}

func TestCloseLetsHeldRequestsGo(t *testing.T) {
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"in": 1}})
	hold := b.Hold(kmsg.OffsetCommit, -1)
	ctx, cancel := context.WithCancel(deadline(t))
	admin, doneCh := newAdmin(t, b), make(chan error, 1) // one result
	go func() { doneCh <- commit(ctx, admin, 7) }()
	if err := hold.Wait(ctx, 1); err != nil {
		t.Fatal(err)
	}
	b.Close()
	cancel()
	if err := <-doneCh; err == nil {
		t.Fatal("a commit was answered by a closed broker")
	}
}

func TestADelayedRequestTakesItsTime(t *testing.T) {
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"in": 1}})
	admin := newAdmin(t, b)
	const d = 150 * time.Millisecond
	delay := b.Delay(kmsg.OffsetCommit, 1, d)
	start := time.Now()
	if err := commit(deadline(t), admin, 1); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took < d || delay.Hits() != 1 {
		t.Fatalf("took %s with %d hits", took, delay.Hits())
	}
	if b.Requests(kmsg.OffsetCommit) != 1 {
		t.Fatalf("%d requests", b.Requests(kmsg.OffsetCommit))
	}
}

func TestAProduceThatIsRefusedFailsTheReport(t *testing.T) {
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"out": 1}})
	p := newProducer(t, b, kafka.ConfigMap{"retries": 0, "enable.idempotence": false})
	if _, err := b.FailNext(kmsg.Produce, kerr.PolicyViolation.Code, 1); err != nil {
		t.Fatal(err)
	}
	first := send(t, p, "out", 0, "x")[0].TopicPartition.Error
	if e, ok := first.(kafka.Error); !ok || e.Code() != kafka.ErrPolicyViolation { //nolint:errorlint // the client returns it bare
		t.Fatalf("the refused record: %v", first)
	}
	if err := send(t, p, "out", 0, "y")[0].TopicPartition.Error; err != nil {
		t.Fatalf("the next record: %v", err)
	}
	if all, err := b.ReadAll(deadline(t), "out"); err != nil || len(all) != 1 || string(all[0].Value) != "y" {
		t.Fatalf("read %v: %v", all, err)
	}
}

func TestFailNextWantsARealCode(t *testing.T) {
	b := embedded.Start(t, embedded.Config{})
	if _, err := b.FailNext(kmsg.Produce, 0, 1); !errors.Is(err, embedded.ErrBadCode) {
		t.Fatalf("got %v", err)
	}
}
