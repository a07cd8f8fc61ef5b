package embedded_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/kafkatest/embedded"
)

// Many clients commit at once: the last commit of the list must be the one that
// the group has, however the answers overtook each other.
func TestCommitsAreInTheOrderInWhichTheyWereApplied(t *testing.T) {
	ctx := deadline(t)
	b := embedded.Start(t, embedded.Config{Brokers: 3, Topics: map[string]int{"in": 1}})
	const clients, rounds = 8, 20
	for round := range rounds {
		var all sync.WaitGroup
		errCh := make(chan error, clients) // one each
		for n := range clients {
			admin := newAdmin(t, b)
			all.Go(func() { errCh <- commit(ctx, admin, int64(round*clients+n)) })
		}
		all.Wait()
		for range clients {
			if err := <-errCh; err != nil {
				t.Fatal(err)
			}
		}
		got := offsetsOf(b.Commits())
		if last, now := got[len(got)-1], b.CommittedOffsets("g", "in")[0]; last != now {
			t.Fatalf("the last commit is %d, the group has %d", last, now)
		}
	}
	if got := len(b.Commits()); got != clients*rounds {
		t.Fatalf("%d commits of %d", got, clients*rounds)
	}
}

func TestOnlyTheRefusedPartitionIsLeftOut(t *testing.T) {
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"in": 3, "other": 1}})
	if _, err := b.Fail(kfake.Fault{
		Keys: []kmsg.Key{kmsg.OffsetCommit}, Topic: "in", Partitions: []int32{1},
	}, kerr.OffsetMetadataTooLarge.Code); err != nil {
		t.Fatal(err)
	}
	var os kadm.Offsets
	for p := range int32(3) {
		os.Add(kadm.Offset{Topic: "in", Partition: p, At: 5, LeaderEpoch: -1})
	}
	os.Add(kadm.Offset{Topic: "other", Partition: 0, At: 6, LeaderEpoch: -1})
	if err := newAdmin(t, b).CommitAllOffsets(deadline(t), "g", os); !errors.Is(err, kerr.OffsetMetadataTooLarge) {
		t.Fatalf("the commit answered %v", err)
	}
	got := map[string]bool{}
	for _, c := range b.Commits() {
		got[c.Position.String()] = true
	}
	if len(got) != 3 || !got["in/0@5"] || !got["in/2@5"] || !got["other/0@6"] {
		t.Fatalf("commits %v", got)
	}
}

func TestACommitWithoutAnAnswerIsUnanswered(t *testing.T) {
	ctx := deadline(t)
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"in": 1}})
	seenCh, goOnCh := make(chan struct{}), make(chan struct{})
	b.Cluster().ControlKey(kmsg.OffsetCommit.Int16(), func(kmsg.Request) (kmsg.Response, error, bool) {
		close(seenCh)
		<-goOnCh
		return nil, errors.New("the connection is cut"), true
	})
	once, cancel := context.WithCancel(ctx)
	admin, doneCh := newAdmin(t, b), make(chan error, 1) // one result
	go func() { doneCh <- commit(once, admin, 9) }()
	<-seenCh
	if left := offsetsOf(b.Unanswered()); len(left) != 1 || left[0] != 9 || len(b.Commits()) != 0 {
		t.Fatalf("unanswered %v, commits %v", left, b.Commits())
	}
	cancel()
	close(goOnCh)
	if err := <-doneCh; err == nil {
		t.Fatal("a commit was answered on a cut connection")
	}
	if left := offsetsOf(b.Unanswered()); len(left) != 1 {
		t.Fatalf("unanswered %v", left)
	}
}
