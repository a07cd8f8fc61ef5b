package consumerset

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/event"
)

func TestACloseBeforeTheStartEndsTheMemberAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newFakeClient(cooperative)
		cfg := Config{StartLane: func(Assignment) Lane { return nil }}.withDefaults()
		m := newMember(cfg, 0, newRegistry())
		m.open = func(Config, int) (opened, error) {
			return opened{c, newPollSource(c, cfg.feedBytes()), func() {}}, nil
		}
		m.Close(t.Context())
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := m.Run(ctx); err != nil || ctx.Err() != nil {
			t.Errorf("run %v, its context %v", err, ctx.Err())
		}
	})
}

// One topic may be refused while the others are committed: the call has no error
// then.
func TestAPartitionWhoseCommitIsRefusedIsToldOf(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)], b.client.offsets[part(1)] = 10, 10
		b.client.refused[part(1)] = kafka.NewError(kafka.ErrTopicAuthorizationFailed, "no", false)
		b.client.assign(0, 1)
		pass(100 * time.Millisecond)
		b.lane(0).settle(20)
		b.lane(1).settle(20)
		pass(5 * time.Second)
		told := func(e event.CommitFailed) bool {
			return e.Kept && e.Code == int(kafka.ErrTopicAuthorizationFailed)
		}
		if !has(b, told) {
			t.Error("nobody was told")
		}
		r := b.close()
		if r.Outcome() != Uncommitted || len(r.Uncommitted) != 1 || r.Uncommitted[0].Partition != part(1) {
			t.Errorf("ended %+v", r)
		}
	})
}

// A rebalance in the middle of a stop takes the partitions away; what they left
// undone is still this stop's to tell.
func TestAStopTellsWhatARevokeInsideItCutShort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)], b.client.offsets[part(1)] = 10, 10
		b.client.commitErr = kafka.NewError(kafka.ErrRebalanceInProgress, "later", false)
		b.client.assign(0, 1)
		pass(100 * time.Millisecond)
		b.lane(0).settle(20)
		b.lane(1).busy = true
		ctx, cancel := context.WithTimeout(t.Context(), 16*time.Second)
		defer cancel()
		drained := make(chan error, 1)
		go func() { drained <- b.member.Drain(ctx) }()
		pass(time.Second)
		b.client.revoke(0, 1)
		if err := <-drained; err != nil {
			t.Errorf("drain %v: there was nothing left to wait for", err)
		}
		r := b.close()
		if len(r.Uncommitted) != 1 || r.Uncommitted[0] != (PartitionResult{part(0), 20, 10}) {
			t.Errorf("uncommitted %+v", r.Uncommitted)
		}
		if len(r.Unfinished) != 1 || r.Unfinished[0].Partition != part(1) {
			t.Errorf("unfinished %+v", r.Unfinished)
		}
	})
}

// Where messages come by Poll an error names no partition, and the client goes on
// behind what it could not read.
func TestABatchThatPollCannotReadEndsTheMember(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 10
		b.client.assign(0)
		pass(100 * time.Millisecond)
		b.client.push(kafka.NewError(kafka.ErrBadCompression, "corrupt", false))
		b.client.message(0, 30)
		err := <-b.err
		if _, ok := errors.AsType[*MemberError](err); !ok {
			t.Errorf("run: %v", err)
		}
		if msgs, _, _ := b.lane(0).a.Feed.Read(10); len(msgs) > 0 {
			t.Errorf("handed out %d", msgs[0].Offset)
		}
	})
}

// The client sees nothing to commit though a position has moved: it knows of a later
// commit, or takes the topic for an older one. Without a word that is a silent stall.
func TestACommitThatMovesNothingIsToldOfOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 10
		b.client.commitErr = kafka.NewError(kafka.ErrNoOffset, "nothing", false)
		b.client.assign(0)
		pass(100 * time.Millisecond)
		b.lane(0).settle(20)
		pass(5 * time.Second)
		told := 0
		has(b, func(e event.CommitFailed) bool {
			if e.Kept && e.Code == int(kafka.ErrNoOffset) {
				told++
			}
			return false
		})
		if told != 1 {
			t.Errorf("told %d times", told)
		}
		b.client.set(func() { b.client.commitErr = nil })
		pass(2 * time.Second)
		if r := b.close(); r.Outcome() != Clean {
			t.Errorf("ended %+v", r)
		}
	})
}

func TestNowhereToStartIsOverWithThePartition(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var told []string
		b := newBench(t, cooperative, func(c *Config) {
			c.Start = StartNone
			c.Unhealthy = func(reason string, _ error) { told = append(told, "bad "+reason) }
			c.Healthy = func(reason string) { told = append(told, "good "+reason) }
		})
		b.client.offsets[part(0)], b.client.offsets[part(1)] = int64(kafka.OffsetInvalid), 10
		b.client.assign(0, 1)
		pass(time.Second)
		b.client.assign()
		b.client.revoke(1)
		pass(time.Second)
		if !slices.Equal(told, []string{"bad " + ReasonNoStart}) {
			t.Errorf("told %v", told)
		}
		b.client.revoke(0)
		pass(time.Second)
		if !slices.Equal(told, []string{"bad " + ReasonNoStart, "good " + ReasonNoStart}) {
			t.Errorf("told %v", told)
		}
		b.close()
	})
}
