package admin_test

import (
	"errors"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/admin"
	"github.com/pitlane-go/pitlane/processor"
)

func TestCommittedTellsOffsetsAndWhereThereIsNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.fill(t, 1, 20)
	var offsets kadm.Offsets
	offsets.Add(kadm.Offset{Topic: "orders", Partition: 1, At: 17, LeaderEpoch: -1, Metadata: "note"})
	if err := b.oracle.CommitAllOffsets(t.Context(), "g", offsets); err != nil {
		t.Fatal(err)
	}
	got, err := b.client.Committed(t.Context(), "g", orders(0, 1))
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	if c := got[orders(1)[0]]; c.Offset != 17 || c.Metadata != "note" || c.Err != nil {
		t.Errorf("partition 1: %+v", c)
	}
	if c := got[orders(0)[0]]; c.Offset != admin.NoOffset || c.Err != nil {
		t.Errorf("partition 0: %+v", c)
	}
	got, err = b.client.Committed(t.Context(), "a group that nobody has", orders(0))
	if err != nil || got[orders(0)[0]].Offset != admin.NoOffset || got[orders(0)[0]].Err != nil {
		t.Errorf("an unknown group: %v, %v", got, err)
	}
}

func TestCommittedOfAForbiddenGroupIsATypedError(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.broker.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetFetch}, Group: "g", Err: kerr.GroupAuthorizationFailed, Count: -1})
	got, err := b.client.Committed(t.Context(), "g", orders(0))
	if err == nil {
		err = got[orders(0)[0]].Err
	}
	if !errors.Is(err, admin.ErrNotAuthorized) {
		t.Errorf("error %v", err)
	}
}

func TestStartAndEndOffsets(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.fill(t, 0, 5)
	if _, err := b.oracle.DeleteRecords(t.Context(), kadm.Offsets{"orders": {0: {Topic: "orders", At: 2}}}); err != nil {
		t.Fatal(err)
	}
	for _, isolation := range []admin.Isolation{admin.ReadCommitted, admin.ReadUncommitted} {
		start, err := b.client.StartOffsets(t.Context(), orders(0, 1, 2), isolation)
		if err != nil || start[orders(0)[0]] != (admin.Offset{Offset: 2}) || start[orders(1)[0]] != (admin.Offset{}) {
			t.Errorf("start: %v, %v", start, err)
		}
		end, err := b.client.EndOffsets(t.Context(), orders(0, 1, 2), isolation)
		if err != nil || end[orders(0)[0]] != (admin.Offset{Offset: 5}) || end[orders(2)[0]] != (admin.Offset{}) {
			t.Errorf("end: %v, %v", end, err)
		}
	}
}

func TestOffsetsOfAnUnknownTopicAreAnErrorOfItsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.fill(t, 0, 3)
	nowhere := processor.Partition{Topic: "nowhere"}
	end, err := b.client.EndOffsets(within(t, 3*time.Second), append(orders(0), nowhere), admin.ReadCommitted)
	if err != nil || end[orders(0)[0]] != (admin.Offset{Offset: 3}) {
		t.Fatalf("%v, %v", end, err)
	}
	if err := end[nowhere].Err; !errors.Is(err, admin.ErrUnknownTopic) {
		t.Errorf("error %v", err)
	}
}

func TestNothingIsAskedAboutNoPartition(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.broker.Close()
	if got, err := b.client.EndOffsets(t.Context(), nil, admin.ReadCommitted); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := b.client.Committed(t.Context(), "g", nil); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := b.client.TopicIDs(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}
