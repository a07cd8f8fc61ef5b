package consumerset

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// The second lane is over long before the first one, whose attempt ignores its
// context: the third must not take that for its turn.
func TestTheThirdLaneWaitsForTheFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 10
		b.client.assign(0)
		pass(100 * time.Millisecond)
		first := b.lane(0)
		first.busy, first.hangs = true, true
		b.client.revoke(0)
		pass(20 * time.Second)
		b.client.assign(0)
		pass(time.Second)
		second := b.lane(0)
		b.client.revoke(0)
		pass(20 * time.Second)
		if !isClosed(second.done) {
			t.Fatal("the second lane is not over")
		}
		b.client.assign(0)
		pass(time.Second)
		third := b.lane(0)
		if third == second || third.a.After == nil || isClosed(third.a.After) {
			t.Error("the third lane may start while the first one's attempt runs")
		}
		first.finish()
		pass(time.Second)
		if third.a.After != nil && !isClosed(third.a.After) {
			t.Error("the third lane never starts")
		}
		b.close()
	})
}

// An offset that was found before a revoke says nothing about the assignment that
// follows: another member has gone on meanwhile.
func TestAnOffsetFoundBeforeARevokeIsNotUsedAfterIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 10
		hold := make(chan struct{})
		b.client.hold = hold
		b.client.assign(0, 1) // 1 has no answer
		pass(100 * time.Millisecond)
		b.lane(0).settle(20)
		pass(2 * time.Second) // the commit has no answer, so nothing is assigned
		b.client.set(func() { b.client.offsets[part(1)] = 5 })
		pass(time.Second)
		b.client.revoke(1)
		b.client.set(func() { delete(b.client.offsets, part(1)) })
		b.client.assign(1)
		pass(time.Second)
		b.client.set(func() { b.client.hold = nil })
		close(hold)
		pass(time.Second)
		if b.lane(1) != nil {
			t.Fatalf("started at %d", b.lane(1).a.Start)
		}
		b.client.set(func() { b.client.offsets[part(1)] = 50 })
		pass(time.Second)
		if l := b.lane(1); l == nil || l.a.Start != 50 {
			t.Errorf("calls %v", b.client.all())
		}
		b.close()
	})
}

// A commit that the group refuses because of the membership before says nothing
// about the partitions of the one that followed: nobody would take them back.
func TestAnAnswerFromAnEarlierMembershipFencesNothing(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{cooperative, eager} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, protocol, nil)
			b.client.offsets[part(0)] = 10
			hold := make(chan struct{})
			b.client.hold = hold
			b.client.assign(0)
			pass(100 * time.Millisecond)
			b.lane(0).settle(20)
			pass(2 * time.Second)
			b.client.set(func() { b.client.lost = true })
			b.client.revoke(0)
			pass(time.Second)
			b.client.set(func() { b.client.lost = false })
			b.client.assign(0)
			pass(time.Second)
			b.client.set(func() {
				b.client.hold = nil
				b.client.commitErr = kafka.NewError(kafka.ErrUnknownMemberID, "who?", false)
			})
			close(hold)
			synctest.Wait()
			b.client.set(func() { b.client.commitErr = nil })
			b.lane(0).settle(30)
			pass(3 * time.Second)
			if err := b.lane(0).fencedBy(); err != nil {
				t.Errorf("fenced by %v", err)
			}
			if got := b.client.committed[part(0)]; got != 30 {
				t.Errorf("committed %d", got)
			}
			b.close()
		})
	}
}

// Nothing may run on a member that has failed.
func TestNoLaneOutlivesAFailureInsideACallback(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)], b.client.offsets[part(1)] = 10, 10
		b.client.commitErr = kafka.NewError(kafka.ErrUnknownMemberID, "who?", false)
		b.client.assign(0)
		pass(100 * time.Millisecond)
		b.lane(0).settle(20)
		pass(2 * time.Second) // lost
		b.client.set(func() { clear(b.client.assigned) })
		b.client.assign(0, 1) // without a revoke: the unassign of 0 fails
		err := <-b.err
		if _, ok := errors.AsType[*AssignError](err); !ok {
			t.Errorf("run: %v", err)
		}
		for n := range int32(2) {
			if l := b.lane(n); l != nil && !isClosed(l.done) {
				t.Errorf("lane %d goes on", n)
			}
		}
	})
}

// An expelled member's lanes are not waited for: the group waits for its rejoin.
func TestARevokeDoesNotDrainWhatIsLostMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)], b.client.offsets[part(1)] = 10, 10
		hold := make(chan struct{})
		b.client.hold = hold
		b.client.assign(0, 1)
		pass(100 * time.Millisecond)
		b.lane(0).settle(20)
		b.lane(1).busy, b.lane(1).hangs = true, true
		pass(2 * time.Second)
		b.client.revoke(0, 1)
		pass(100 * time.Millisecond)
		b.client.set(func() {
			b.client.hold = nil
			b.client.commitErr = kafka.NewError(kafka.ErrUnknownMemberID, "who?", false)
		})
		close(hold)
		pass(100 * time.Millisecond)
		if b.client.count("IncrementalUnassign [0 1]") != 1 {
			t.Errorf("calls %v", b.client.all())
		}
		b.lane(1).finish()
		b.close()
	})
}
