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
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

const (
	eager       = "EAGER"
	cooperative = "COOPERATIVE"
)

// pass lets time pass in the bubble.
func pass(d time.Duration) {
	time.Sleep(d) //nolint:forbidigo // in a synctest bubble
	synctest.Wait()
}

func TestARevokeUnassignsExactlyAndEndsLookups(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 10
		b.client.assign(0, 1) // 1 has no answer
		pass(time.Second)
		b.client.revoke(0, 1)
		pass(time.Second)
		calls := b.client.all()
		if !slices.Contains(calls, "IncrementalAssign [0@10]") || !slices.Contains(calls, "IncrementalUnassign [0]") {
			t.Errorf("calls %v", calls)
		}
		b.client.set(func() { b.client.offsets[part(1)] = 5 })
		n := b.client.count("Committed [1]")
		pass(time.Second)
		if b.client.count("Committed [1]") != n || b.lane(1) != nil {
			t.Error("the lookup went on after the revoke")
		}
		b.close()
	})
}

func TestARevokeOfNothingIsAnsweredWithAnEmptyList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.assign(0)
		pass(time.Second)
		b.client.revoke(0)
		pass(time.Second)
		if b.client.count("IncrementalUnassign []") != 1 {
			t.Errorf("calls %v", b.client.all())
		}
		b.close()
	})
}

func TestAnOffsetThatIsFoundLateIsAssignedLate(t *testing.T) {
	t.Parallel()
	for protocol, want := range map[string]string{
		cooperative: "IncrementalAssign [1@5]",
		eager:       "Assign [0@12 1@5]", // the whole list; what runs goes on where it stands
	} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, protocol, nil)
			b.client.offsets[part(0)] = 10
			b.client.assign(0, 1)
			b.client.message(0, 10)
			b.client.message(0, 11)
			pass(time.Second)
			if msgs, _, err := b.lane(0).a.Feed.Read(10); len(msgs) != 2 || err != nil {
				t.Fatalf("read %d, %v", len(msgs), err)
			}
			b.client.set(func() { b.client.offsets[part(1)] = 5 })
			pass(time.Second)
			if b.client.count(want) != 1 {
				t.Errorf("calls %v", b.client.all())
			}
			if l := b.lane(1); l == nil || l.a.Start != 5 || l.a.From != "committed" {
				t.Errorf("lane %+v", l)
			}
			b.close()
		})
	}
}

// An assignment made while a commit is in flight stops fetching until that returns.
func TestALateOffsetWaitsForTheCommitInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 10
		hold := make(chan struct{})
		b.client.hold = hold
		b.client.assign(0, 1)
		pass(100 * time.Millisecond)
		b.lane(0).settle(20)
		pass(2 * time.Second)
		b.client.set(func() { b.client.offsets[part(1)] = 5 })
		pass(2 * time.Second)
		if b.lane(1) != nil {
			t.Error("assigned with a commit in flight")
		}
		b.client.set(func() { b.client.hold = nil })
		close(hold)
		pass(time.Second)
		if b.lane(1) == nil {
			t.Error("never assigned")
		}
		b.close()
	})
}

func TestARefusedAssignCallEndsTheMember(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var told error
		b := newBench(t, cooperative, func(c *Config) { c.Failed = func(err error) { told = err } })
		b.client.offsets[part(0)] = 10
		b.client.assignErr = kafka.NewError(kafka.ErrState, "not now", false)
		b.client.assign(0)
		err := <-b.err
		var ae *AssignError
		if !errors.As(err, &ae) || ae.Call != "IncrementalAssign" || !errors.Is(told, err) {
			t.Errorf("run %v, told %v", err, told)
		}
		if b.client.count("Close") != 1 {
			t.Errorf("calls %v", b.client.all())
		}
	})
}

func TestALostAssignmentIsFencedAtOnceAndNotCommitted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, eager, func(c *Config) { c.CommitInterval = time.Hour })
		b.client.offsets[part(0)] = 10
		b.client.assign(0)
		pass(time.Second)
		l := b.lane(0)
		l.busy = true
		l.settle(15)
		b.client.lost = true
		b.client.revoke(0)
		pass(100 * time.Millisecond)
		if !errors.Is(l.fencedBy(), ErrLost) {
			t.Errorf("fenced by %v", l.fencedBy())
		}
		if b.client.count("Commit") != 0 || b.client.count("Unassign") != 1 {
			t.Errorf("calls %v", b.client.all())
		}
		b.close()
	})
}

func TestAnAnswerThatExpelsFencesEverythingAndCommitsNoMore(t *testing.T) {
	t.Parallel()
	for _, code := range []kafka.ErrorCode{kafka.ErrUnknownMemberID, kafka.ErrFencedMemberEpoch, kafka.ErrAssignmentLost} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, cooperative, nil)
			b.client.offsets[part(0)], b.client.offsets[part(1)] = 10, 10
			b.client.commitErr = kafka.NewError(code, "gone", false)
			b.client.assign(0, 1)
			pass(100 * time.Millisecond)
			b.lane(0).settle(20)
			pass(5 * time.Second)
			for n := range int32(2) {
				if !errors.Is(b.lane(n).fencedBy(), ErrLost) {
					t.Errorf("%v: lane %d fenced by %v", code, n, b.lane(n).fencedBy())
				}
			}
			// The client's callback comes later, and says that nothing is lost.
			b.client.revoke(0, 1)
			pass(time.Second)
			if b.client.count("Commit") != 1 || b.client.count("IncrementalUnassign [0 1]") != 1 {
				t.Errorf("%v: calls %v", code, b.client.all())
			}
			b.close()
		})
	}
}

func TestAFatalErrorFencesTheLanesAndAbandonsTheClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 10
		b.client.assign(0)
		pass(100 * time.Millisecond)
		b.lane(0).settle(20)
		b.client.push(kafka.NewError(kafka.ErrFencedInstanceID, "a rival", true))
		err := <-b.err
		if !errors.Is(err, ErrFatal) || b.lane(0).fencedBy() == nil {
			t.Errorf("run %v, lane fenced by %v", err, b.lane(0).fencedBy())
		}
		if b.client.count("Close") != 0 || b.client.count("Commit") != 0 {
			t.Errorf("calls %v", b.client.all())
		}
		r := b.member.Close(context.Background())
		if r.Outcome() != Broken || !r.Abandoned {
			t.Errorf("ended %+v", r)
		}
	})
}

func TestACommitWithoutAnswerIsPendingAndNoSecondIsSent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 10
		hold := make(chan struct{})
		b.client.hold = hold
		b.client.assign(0)
		pass(100 * time.Millisecond)
		b.lane(0).settle(20)
		pass(9 * time.Second)
		if has(b, func(event.CommitPending) bool { return true }) {
			t.Error("pending too early")
		}
		pass(5 * time.Second)
		if !has(b, func(e event.CommitPending) bool { return e.Age >= commitPending }) {
			t.Error("not pending after 14 s")
		}
		b.lane(0).settle(30)
		began := time.Now()
		b.client.revoke(0)
		pass(revokeCommit + time.Second)
		if b.client.count("Commit") != 1 || b.client.count("IncrementalUnassign [0]") != 1 {
			t.Errorf("after %v: calls %v", time.Since(began), b.client.all())
		}
		close(hold)
		b.close()
	})
}

func TestARevokeWaitsForTheDrainAndForNoLonger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)], b.client.offsets[part(1)] = 10, 10
		b.client.assign(0, 1)
		pass(time.Second)
		stuck, good := b.lane(0), b.lane(1)
		stuck.busy = true
		good.settle(40)
		b.client.revoke(0, 1)
		pass(DrainDefault - time.Second)
		if b.client.count("IncrementalUnassign [0 1]") != 0 || stuck.fencedBy() != nil {
			t.Error("given up before the drain was over")
		}
		pass(2 * time.Second)
		if !errors.Is(stuck.fencedBy(), ErrRevoked) || good.fencedBy() != nil {
			t.Errorf("fenced by %v and %v", stuck.fencedBy(), good.fencedBy())
		}
		if b.client.committed[part(1)] != 40 || b.client.count("IncrementalUnassign [0 1]") != 1 {
			t.Errorf("committed %v, calls %v", b.client.committed, b.client.all())
		}
		b.close()
	})
}

func TestARevokeRepeatsACommitThatIsNotYet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, func(c *Config) { c.CommitInterval = time.Hour })
		b.client.offsets[part(0)] = 10
		b.client.assign(0)
		pass(time.Second)
		b.lane(0).settle(20)
		b.client.set(func() { b.client.commitErr = kafka.NewError(kafka.ErrRebalanceInProgress, "wait", false) })
		b.client.revoke(0)
		pass(time.Second)
		b.client.set(func() { b.client.commitErr = nil })
		pass(time.Second)
		if n := b.client.count("Commit"); n < 3 {
			t.Errorf("%d commits", n)
		}
		if !has(b, func(e event.PartitionRevoked) bool { return e.Position == 20 && e.Drained }) {
			t.Error("not committed at 20")
		}
		b.close()
	})
}

// Looking up offsets never succeeds inside Close.
func TestAnAssignmentWhileClosingIsAnsweredWithNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		pass(time.Second)
		if err := b.member.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		b.client.offsets[part(0)] = 10
		b.client.assign(0)
		pass(time.Second)
		if calls := b.client.all(); !slices.Equal(calls, []string{"IncrementalAssign []"}) {
			t.Errorf("calls %v", calls)
		}
		if r := b.close(); r.Outcome() != Clean {
			t.Errorf("ended %+v", r)
		}
	})
}

func TestAPositionThatCannotBeStoredIsNotTakenForCommitted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)], b.client.offsets[part(1)] = 10, 10
		b.client.storeErr[part(0)] = kafka.NewError(kafka.ErrState, "not ours", false)
		b.client.assign(0, 1)
		pass(100 * time.Millisecond)
		b.lane(0).settle(20)
		b.lane(1).settle(20)
		pass(3 * time.Second)
		for _, p := range b.member.Status().Partitions {
			if want := map[int32]int64{0: 10, 1: 20}[p.Source.Partition.Partition]; p.Committed != want {
				t.Errorf("partition %d: committed %d, not %d", p.Source.Partition.Partition, p.Committed, want)
			}
		}
		r := b.close()
		if r.Outcome() != Uncommitted || len(r.Uncommitted) != 1 || r.Uncommitted[0].Partition != part(0) {
			t.Errorf("ended %+v", r)
		}
	})
}

func TestACloseEndsACallbackThatDrains(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, func(c *Config) { c.Drain = time.Hour })
		b.client.offsets[part(0)] = 10
		b.client.assign(0)
		pass(time.Second)
		b.lane(0).busy = true
		b.client.revoke(0)
		pass(10 * time.Second)
		began := time.Now()
		b.close()
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("close took %v", took)
		}
		if !errors.Is(b.lane(0).fencedBy(), ErrRevoked) {
			t.Errorf("fenced by %v", b.lane(0).fencedBy())
		}
	})
}

// A pause outlives revoke and assignment on the same client.
func TestAPauseDoesNotOutliveItsAssignment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, func(c *Config) { c.Partitions = 1000 })
		b.client.offsets[part(0)], b.client.offsets[part(1)] = 0, 0
		b.client.assign(0, 1)
		pass(time.Second)
		for i := range int64(90) {
			b.client.wide(0, i)
		}
		pass(time.Second)
		if b.client.count("Pause [0]") != 1 {
			t.Fatalf("calls %v", b.client.all())
		}
		old := b.lane(0).a.Feed
		b.client.revoke(0)
		pass(time.Second)
		b.client.assign(0)
		pass(time.Second)
		if b.client.count("Resume [0]") != 1 || b.client.count("Resume [0 1]") != 0 {
			t.Errorf("calls %v", b.client.all())
		}
		if _, _, err := old.Read(10); !errors.Is(err, lane.ErrFeedClosed) {
			t.Errorf("the old feed says %v", err)
		}
		b.close()
	})
}

func TestAFullFeedIsPausedAndResumedWhenItIsRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, func(c *Config) { c.Partitions = 1000 })
		b.client.offsets[part(0)] = 0
		b.client.assign(0)
		pass(time.Second)
		for i := range int64(90) {
			b.client.wide(0, i)
			b.client.wide(0, i) // fetched again
		}
		pass(time.Second)
		f := b.lane(0).a.Feed
		for next := int64(0); next < 90; {
			if next == 80 {
				pass(time.Second)
				if b.client.count("Resume [0]") != 0 {
					t.Error("resumed above the low mark")
				}
			}
			for end := next + 10; next < end; {
				msgs, more, err := f.Read(int(end - next))
				if err != nil || len(msgs) == 0 || more != (next+int64(len(msgs)) < 90) {
					t.Fatalf("%d messages at %d, more %v, %v", len(msgs), next, more, err)
				}
				for i := range msgs {
					if msgs[i].Offset != next {
						t.Fatalf("offset %d, want %d", msgs[i].Offset, next)
					}
					next++
				}
			}
		}
		pass(time.Second)
		if b.client.count("Pause [0]") != 1 || b.client.count("Resume [0]") != 1 {
			t.Errorf("calls %v", b.client.all())
		}
		b.close()
	})
}

func TestWhatAFeedOfPollHandedOutIsNeverWrittenAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 0
		b.client.assign(0)
		pass(time.Second)
		f := b.lane(0).a.Feed
		var kept [][]processor.Message
		for at := int64(0); at < 300; at += 3 {
			for i := range int64(3) {
				b.client.wide(0, at+i)
			}
			pass(time.Second)
			for range 2 { // one stays, so the rest goes on to be filled
				msgs, _, err := f.Read(1)
				if err != nil || len(msgs) != 1 {
					t.Fatalf("%d messages, %v", len(msgs), err)
				}
				kept = append(kept, msgs)
			}
		}
		for i, msgs := range kept {
			if msgs[0].Offset != int64(i) {
				t.Fatalf("message %d has offset %d now", i, msgs[0].Offset)
			}
			if cap(msgs) != 1 {
				t.Fatalf("message %d has room for %d", i, cap(msgs))
			}
		}
		b.close()
	})
}

// A lane lives on what it has while a callback waits.
func TestALaneIsToldOfItsMessagesBeforeACallbackWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)], b.client.offsets[part(1)] = 0, 0
		b.client.assign(0, 1)
		pass(time.Second)
		busy := b.lane(1)
		busy.busy = true
		wake := b.lane(0).a.Feed.Wake()
		<-wake // the token of the start
		b.client.wide(0, 0)
		b.client.revoke(1) // waits for the lane that is busy
		synctest.Wait()
		select {
		case <-wake:
		default:
			t.Error("nobody told the lane")
		}
		busy.finish()
		pass(time.Second)
		b.close()
	})
}

func TestTheNextLaneWaitsForTheOneBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 0
		b.client.assign(0)
		pass(time.Second)
		first := b.lane(0)
		first.hangs = true // an attempt that ignores its context
		first.busy = true
		b.client.revoke(0)
		b.client.assign(0)
		pass(10 * time.Second)
		second := b.lane(0)
		if second == first || second.a.After == nil || isClosed(second.a.After) {
			t.Error("the second lane may start")
		}
		if second.a.Source.Epoch != 2 {
			t.Errorf("epoch %d", second.a.Source.Epoch)
		}
		first.finish()
		synctest.Wait()
		if !isClosed(second.a.After) {
			t.Error("the second lane never starts")
		}
		b.close()
	})
}

// The client does not have a partition that has nowhere to start.
func TestAPartitionWithNowhereToStartIsNotUnassigned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, func(c *Config) { c.Start = StartNone })
		b.client.offsets[part(0)], b.client.offsets[part(1)] = 10, int64(kafka.OffsetInvalid)
		b.client.assign(0, 1)
		pass(time.Second)
		if _, _, err := b.lane(1).a.Feed.Read(1); !errors.Is(err, ErrNoStart) {
			t.Errorf("the feed says %v", err)
		}
		b.client.revoke(0, 1)
		pass(time.Second)
		if b.client.count("IncrementalUnassign [0]") != 1 || !isClosed(b.lane(1).done) {
			t.Errorf("calls %v", b.client.all())
		}
		b.close()
	})
}

// Close of a client would wait for its commit, without bound.
func TestAClientWithACommitPendingIsNotClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 10
		hold := make(chan struct{})
		b.client.hold = hold
		b.client.assign(0)
		pass(100 * time.Millisecond)
		b.lane(0).settle(20)
		pass(2 * time.Second)
		r := b.close()
		if r.Outcome() != Left || !r.CommitPending || len(r.Uncommitted) != 1 || b.client.count("Close") != 0 {
			t.Errorf("ended %+v, calls %v", r, b.client.all())
		}
		close(hold)
	})
}
