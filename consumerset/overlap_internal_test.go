package consumerset

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// An attempt that was cancelled needs a moment to return, also one that looks at its
// context. Until it has returned, the next owner must not start: for the checker,
// and for whoever reads the outputs, two members would run the same message at once.
func TestAPartitionIsGivenAwayWhenTheCancelledAttemptHasReturned(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{cooperative, eager} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, protocol, nil)
			b.client.offsets[part(0)] = 10
			b.client.assign(0)
			pass(time.Second)
			l := b.lane(0)
			l.become(true, true)
			b.client.revoke(0)
			pass(DrainDefault + fenceReturn/2)
			if l.fencedBy() == nil || b.client.unassigned() {
				t.Errorf("%s: fenced by %v, calls %v", protocol, l.fencedBy(), b.client.all())
			}
			l.finish()
			pass(fenceReturn / 4)
			if !b.client.unassigned() {
				t.Errorf("%s: not given away, calls %v", protocol, b.client.all())
			}
			b.close()
		})
	}
}

// One that ignores its context holds the group up no longer than that moment.
func TestAnAttemptThatIgnoresItsContextDoesNotHoldTheGroupUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 10
		b.client.assign(0)
		pass(time.Second)
		l := b.lane(0)
		l.become(true, true)
		b.client.revoke(0)
		pass(DrainDefault + 2*fenceReturn)
		if !b.client.unassigned() {
			t.Errorf("not given away, calls %v", b.client.all())
		}
		l.finish()
		b.close()
	})
}

func TestTheGroupIsLeftWhenTheCancelledAttemptHasReturned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, cooperative, nil)
		b.client.offsets[part(0)] = 10
		b.client.assign(0)
		pass(time.Second)
		l := b.lane(0)
		l.become(true, true)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		ended := make(chan MemberResult, 1)
		go func() { ended <- b.member.Close(ctx) }()
		pass(fenceReturn / 2)
		if l.fencedBy() == nil || b.client.count("Close") > 0 {
			t.Errorf("fenced by %v, calls %v", l.fencedBy(), b.client.all())
		}
		l.finish()
		pass(fenceReturn / 4)
		if b.client.count("Close") != 1 {
			t.Errorf("calls %v", b.client.all())
		}
		<-ended
		b.close()
	})
}

// unassigned tells whether the client was told that partitions are given away.
func (c *fakeClient) unassigned() bool {
	return slices.ContainsFunc(c.all(), func(call string) bool {
		return strings.HasPrefix(call, "IncrementalUnassign") || strings.HasPrefix(call, "Unassign")
	})
}
