package admin_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/admin"
)

func TestMetadataDescribesTopicsInTheOrderAskedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	topics, err := b.client.Metadata(t.Context(), "other", "orders")
	if err != nil {
		t.Fatal(err)
	}
	if len(topics) != 2 || topics[0].Name != "other" || topics[1].Name != "orders" {
		t.Fatalf("topics %+v", topics)
	}
	if len(topics[1].Partitions) != 3 {
		t.Fatalf("partitions %+v", topics[1].Partitions)
	}
	for i, p := range topics[1].Partitions {
		if int(p.Partition) != i || p.Leader != b.broker.LeaderFor("orders", p.Partition) || len(p.Replicas) == 0 || len(p.InSync) == 0 {
			t.Errorf("partition %d: %+v", i, p)
		}
	}
}

func TestAnUnknownTopicIsATypedErrorBesideTheOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	topics, err := b.client.Metadata(t.Context(), "nowhere", "orders")
	if !errors.Is(err, admin.ErrUnknownTopic) {
		t.Errorf("error %v", err)
	}
	e, ok := errors.AsType[*admin.Error](err)
	if !ok || e.Asked != "describe topic nowhere" || e.Code != int(kerr.UnknownTopicOrPartition.Code) {
		t.Errorf("error %+v", e)
	}
	if len(topics) != 1 || topics[0].Name != "orders" {
		t.Errorf("topics %+v", topics)
	}
	all, err := b.client.Metadata(t.Context())
	if err != nil || len(all) != 2 {
		t.Errorf("asking has created a topic: %+v, %v", all, err)
	}
}

func TestATopicThatMayNotBeDescribedIsATypedError(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.broker.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Metadata}, Topic: "orders", Err: kerr.TopicAuthorizationFailed, Count: -1})
	if _, err := b.client.Metadata(t.Context(), "orders"); !errors.Is(err, admin.ErrNotAuthorized) {
		t.Errorf("error %v", err)
	}
}

func TestTopicsMatchesAPattern(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for pattern, want := range map[string][]string{"^o": {"orders", "other"}, "^ord.*s$": {"orders"}, "^x": nil} {
		got, err := b.client.Topics(t.Context(), pattern)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", pattern, got, err)
		}
	}
	if _, err := b.client.Topics(t.Context(), "^("); err == nil {
		t.Error("a broken pattern was taken")
	}
}

func TestATopicThatIsCreatedAgainHasAnotherID(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, err := b.client.TopicIDs(t.Context(), []string{"orders", "other"})
	if err != nil || first["orders"] == "" || first["orders"] == first["other"] {
		t.Fatalf("ids %v, %v", first, err)
	}
	if _, err := b.oracle.DeleteTopics(t.Context(), "orders"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.oracle.CreateTopics(t.Context(), 3, 1, nil, "orders"); err != nil {
		t.Fatal(err)
	}
	second, err := b.client.TopicIDs(t.Context(), []string{"orders", "other"})
	if err != nil || second["orders"] == "" || second["orders"] == first["orders"] || second["other"] != first["other"] {
		t.Errorf("ids %v, before %v, %v", second, first, err)
	}
}
