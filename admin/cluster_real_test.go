package admin_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/admin"
	"github.com/pitlane-go/pitlane/kafkatest/cluster"
	"github.com/pitlane-go/pitlane/processor"
)

// real is a cluster and the client under test.
type real struct {
	*cluster.Cluster
	client *admin.Client
}

// Answers of real brokers, three of them, one of which is frozen at the end. The
// subtests run in order.
func TestAnswersOfRealBrokers(t *testing.T) {
	c := cluster.Start(t, cluster.Config{Brokers: 3, HeapBytes: 256 << 20})
	client, err := admin.New(admin.Config{Properties: map[string]string{"bootstrap.servers": strings.Join(c.Bootstrap(), ",")}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}()
	// One replica each, so that a frozen leader has no successor.
	spec := cluster.TopicSpec{Name: "orders", Partitions: 3, ReplicationFactor: 1}
	if err := c.CreateTopic(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	for p := range int32(3) {
		if err := c.Produce(t.Context(), "orders", []cluster.Record{{Partition: p, Value: []byte("v")}}); err != nil {
			t.Fatal(err)
		}
	}
	r := &real{c, client}
	t.Run("ping", func(t *testing.T) {
		got, err := client.Ping(t.Context())
		if err != nil || got.ID == "" || len(got.Brokers) != 3 || got.Controller < 1 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("unknown group", r.unknownGroup)
	t.Run("unknown topic", r.unknownTopic)
	t.Run("topic created again", r.createdAgain)
	t.Run("frozen leader", r.frozenLeader)
}

func (r *real) unknownGroup(t *testing.T) {
	got, err := r.client.Committed(t.Context(), "nobody", orders(0, 1))
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	for p, c := range got {
		if c.Offset != admin.NoOffset || c.Err != nil {
			t.Errorf("%v: %+v", p, c)
		}
	}
	if err := r.client.MayReadGroup(t.Context(), "nobody"); err != nil {
		t.Errorf("a group that does not exist yet: %v", err)
	}
}

func (r *real) unknownTopic(t *testing.T) {
	found, err := r.client.Metadata(t.Context(), "nowhere", "orders")
	if !errors.Is(err, admin.ErrUnknownTopic) || len(found) != 1 || len(found[0].Partitions) != 3 {
		t.Errorf("metadata: %+v, %v", found, err)
	}
	nowhere := processor.Partition{Topic: "nowhere"}
	beyond := orders(7)[0]
	ends, err := r.client.EndOffsets(within(t, 5*time.Second), append(orders(0), nowhere, beyond), admin.ReadCommitted)
	if err != nil || ends[orders(0)[0]] != (admin.Offset{Offset: 1}) {
		t.Fatalf("end offsets: %v, %v", ends, err)
	}
	for _, p := range []processor.Partition{nowhere, beyond} {
		if !errors.Is(ends[p].Err, admin.ErrUnknownTopic) {
			t.Errorf("end of %v: %+v", p, ends[p])
		}
	}
	if names, err := r.client.Topics(t.Context(), "^nowhere$"); err != nil || len(names) != 0 {
		t.Errorf("asking has created the topic: %v, %v", names, err)
	}
}

func (r *real) createdAgain(t *testing.T) {
	spec := cluster.TopicSpec{Name: "again"}
	if err := r.CreateTopic(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	first, err := r.client.TopicIDs(t.Context(), []string{"again"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.DeleteTopic(t.Context(), "again"); err != nil {
		t.Fatal(err)
	}
	if err := r.CreateTopic(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	second, err := r.client.TopicIDs(t.Context(), []string{"again"})
	if err != nil || first["again"] == "" || second["again"] == "" || first["again"] == second["again"] {
		t.Errorf("ids %v and %v, %v", first, second, err)
	}
}

// The client answers for the partition of the frozen leader with a negative offset
// and no error; the other partitions have their exact ends.
func (r *real) frozenLeader(t *testing.T) {
	leader, err := r.Leader(t.Context(), "orders", 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Freeze(leader); err != nil {
		t.Fatal(err)
	}
	ends, err := r.client.EndOffsets(within(t, 3*time.Second), orders(0, 1, 2), admin.ReadCommitted)
	if err != nil || len(ends) != 3 {
		t.Fatalf("%v, %v", ends, err)
	}
	for p, o := range ends {
		switch p.Partition {
		case 1:
			if !errors.Is(o.Err, admin.ErrLeaderUnreachable) || o.Offset != admin.NoOffset {
				t.Errorf("the partition of the frozen leader: %+v", o)
			}
		default:
			if o != (admin.Offset{Offset: 1}) {
				t.Errorf("partition %d: %+v", p.Partition, o)
			}
		}
	}
}
