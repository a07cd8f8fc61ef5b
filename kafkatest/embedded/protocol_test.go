package embedded_test

import (
	"testing"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/embedded"
)

func TestClientProducesConsumesAndCommitsInEveryProtocol(t *testing.T) {
	for name, settings := range protocols() {
		t.Run(name, func(t *testing.T) {
			b := embedded.Start(t, embedded.Config{Topics: map[string]int{"in": 2}})
			p := newProducer(t, b, nil)
			for partition := range int32(2) {
				for _, m := range send(t, p, "in", partition, numbers(50)...) {
					if m.TopicPartition.Error != nil {
						t.Fatal(m.TopicPartition.Error)
					}
				}
			}
			c := newConsumer(t, b, settings)
			if err := c.Subscribe("in", nil); err != nil {
				t.Fatal(err)
			}
			next := map[int32]int64{}
			for _, m := range c.read(deadline(t), 100) {
				at := m.TopicPartition
				if int64(at.Offset) != next[at.Partition] || len(m.Headers) != 2 || m.Headers[0].Value != nil || m.Headers[1].Value == nil {
					t.Fatalf("read %v with headers %v, want offset %d", at, m.Headers, next[at.Partition])
				}
				next[at.Partition]++
			}
			topic, note := "in", "note"
			for _, offset := range []kafka.Offset{10, 50} {
				if _, err := c.CommitOffsets([]kafka.TopicPartition{
					{Topic: &topic, Partition: 0, Offset: offset, Metadata: &note},
					{Topic: &topic, Partition: 1, Offset: offset},
				}); err != nil {
					t.Fatal(err)
				}
			}
			var got []kafkatest.Position
			for _, commit := range b.Commits() {
				got = append(got, commit.Position)
				if commit.Group != "g" || commit.Member == "" || commit.Time.IsZero() || (commit.Metadata == note) != (commit.Position.Partition == 0) {
					t.Fatalf("commit %+v", commit)
				}
			}
			want := []kafkatest.Position{{Topic: "in", Partition: 0, Offset: 10}, {Topic: "in", Partition: 1, Offset: 10}, {Topic: "in", Partition: 0, Offset: 50}, {Topic: "in", Partition: 1, Offset: 50}}
			if !equalPerPartition(got, want) {
				t.Fatalf("commits %v, want %v", got, want)
			}
			if left := b.Unanswered(); len(left) != 0 {
				t.Fatalf("unanswered %v", left)
			}
			if at := b.CommittedOffsets("g", "in"); at[0] != 50 || at[1] != 50 {
				t.Fatalf("committed %v", at)
			}
		})
	}
}

// equalPerPartition compares positions in the order of each partition.
func equalPerPartition(a, b []kafkatest.Position) bool {
	by := func(ps []kafkatest.Position, partition int32) (out []int64) {
		for _, p := range ps {
			if p.Partition == partition {
				out = append(out, p.Offset)
			}
		}
		return out
	}
	for partition := range int32(2) {
		x, y := by(a, partition), by(b, partition)
		if len(x) != len(y) {
			return false
		}
		for i := range x {
			if x[i] != y[i] {
				return false
			}
		}
	}
	return len(a) == len(b)
}

func TestMembersShareThePartitionsInEveryProtocol(t *testing.T) {
	for name, settings := range protocols() {
		t.Run(name, func(t *testing.T) {
			ctx := deadline(t)
			b := embedded.Start(t, embedded.Config{Brokers: 3, Topics: map[string]int{"in": 4}})
			first, second := newConsumer(t, b, settings), newConsumer(t, b, settings)
			if err := first.Subscribe("in", nil); err != nil {
				t.Fatal(err)
			}
			assignedOf := func(c *consumer) int {
				c.poll()
				parts, err := c.Assignment()
				if err != nil {
					t.Fatal(err)
				}
				return len(parts)
			}
			for assignedOf(first) != 4 {
				if ctx.Err() != nil {
					t.Fatal("the first member did not get all partitions")
				}
			}
			if err := second.Subscribe("in", nil); err != nil {
				t.Fatal(err)
			}
			for {
				if x, y := assignedOf(first), assignedOf(second); x == 2 && y == 2 {
					break
				}
				if ctx.Err() != nil {
					t.Fatal("the members did not share")
				}
			}
			if err := b.Stable(ctx, "g", 2); err != nil {
				t.Fatal(err)
			}
			second.close()
			for assignedOf(first) != 4 {
				if ctx.Err() != nil {
					t.Fatal("the first member did not get the partitions back")
				}
			}
			if n := b.Requests(kmsg.FindCoordinator); n < 2 {
				t.Fatalf("%d lookups of the coordinator", n)
			}
		})
	}
}

func TestClientReadsOffsetsTopicIDsAndConfigs(t *testing.T) {
	ctx := deadline(t)
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"in": 1}})
	send(t, newProducer(t, b, nil), "in", 0, numbers(3)...)
	admin, err := kafka.NewAdminClient(&kafka.ConfigMap{"bootstrap.servers": b.Bootstrap()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(admin.Close)

	topic := "in"
	offsets, err := admin.ListOffsets(ctx, map[kafka.TopicPartition]kafka.OffsetSpec{
		{Topic: &topic, Partition: 0}: kafka.LatestOffsetSpec,
	})
	if err != nil {
		t.Fatal(err)
	}
	for at, r := range offsets.ResultInfos {
		if r.Error.Code() != kafka.ErrNoError || r.Offset != 3 {
			t.Fatalf("end of %v: %+v", at, r)
		}
	}
	topicID := func() string {
		r, err := admin.DescribeTopics(ctx, kafka.NewTopicCollectionOfTopicNames([]string{"in"}))
		if err != nil {
			t.Fatal(err)
		}
		return r.TopicDescriptions[0].TopicID.String()
	}
	old := topicID()
	if err := b.DeleteTopic("in"); err != nil {
		t.Fatal(err)
	}
	if err := b.CreateTopic("in", 1, map[string]string{"max.message.bytes": "2000"}); err != nil {
		t.Fatal(err)
	}
	if now := topicID(); now == old || old == "" {
		t.Fatalf("topic id %q before and %q after it was created again", old, now)
	}
	configs, err := admin.DescribeConfigs(ctx, []kafka.ConfigResource{{Type: kafka.ResourceTopic, Name: "in"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := configs[0].Config["max.message.bytes"].Value; got != "2000" {
		t.Fatalf("max.message.bytes is %q", got)
	}
	large := send(t, newProducer(t, b, nil), "in", 0, string(make([]byte, 3000)))[0].TopicPartition.Error
	if e, ok := large.(kafka.Error); !ok || e.Code() != kafka.ErrMsgSizeTooLarge { //nolint:errorlint // the client returns it bare
		t.Fatalf("a record that is too large: %v", large)
	}
}
