package consumerset

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

func TestEveryStateHasAWordAndAWayToTheEnd(t *testing.T) {
	t.Parallel()
	for s := Joining; s <= Failed; s++ {
		if s.String() == "unknown" {
			t.Errorf("state %d has no word", s)
		}
		seen := map[State]bool{}
		var walk func(State)
		walk = func(s State) {
			for _, to := range s.next() {
				if !seen[to] {
					seen[to] = true
					walk(to)
				}
			}
		}
		walk(s)
		if ended := s == Closed || s == Abandoned; !ended && !(seen[Closed] && seen[Abandoned]) {
			t.Errorf("%s does not end", s)
		} else if ended && len(seen) > 0 {
			t.Errorf("%s is not the end", s)
		}
	}
}

func TestIllegalMovesAreRefused(t *testing.T) {
	t.Parallel()
	for _, m := range [][2]State{
		{Closed, Joining}, {Abandoned, Closed}, {Failed, Steady}, {Closing, Steady}, {Joining, Steady}, {Revoking, Steady},
	} {
		if m[0].CanMove(m[1]) {
			t.Errorf("%s to %s", m[0], m[1])
		}
	}
}

func TestTheAnswerToACommitDecidesWhatHappensToPositions(t *testing.T) {
	t.Parallel()
	for code, want := range map[kafka.ErrorCode]answer{
		kafka.ErrNoOffset:                  answerNothing,
		kafka.ErrIllegalGeneration:         answerLater,
		kafka.ErrRebalanceInProgress:       answerLater,
		kafka.ErrStaleMemberEpoch:          answerLater,
		kafka.ErrCoordinatorLoadInProgress: answerLater,
		kafka.ErrCoordinatorNotAvailable:   answerLater,
		kafka.ErrNotCoordinator:            answerLater,
		kafka.ErrUnknownMemberID:           answerLost,
		kafka.ErrFencedMemberEpoch:         answerLost,
		kafka.ErrAssignmentLost:            answerLost,
		kafka.ErrWaitCoord:                 answerFailed,
		kafka.ErrRequestTimedOut:           answerFailed,
		kafka.ErrOffsetMetadataTooLarge:    answerFailed,
		kafka.ErrGroupAuthorizationFailed:  answerFailed,
	} {
		err := fmt.Errorf("commit: %w", kafka.NewError(code, "", false))
		if got := answerOf(err); got != want {
			t.Errorf("%v: %d, not %d", code, got, want)
		}
	}
	if answerOf(nil) != answerDone || answerOf(errors.New("odd")) != answerFailed {
		t.Error("no error, or one that is not the client's")
	}
}

func TestTheSameErrorIsReportedOnceInTenSeconds(t *testing.T) {
	t.Parallel()
	var l limiter
	at := time.Unix(0, 0)
	cause := errors.New("refused")
	if _, ok := l.add(at, -195, cause); !ok {
		t.Error("the first is not reported")
	}
	for range 5 {
		if _, ok := l.add(at.Add(time.Second), -195, cause); ok {
			t.Error("reported again at once")
		}
	}
	if _, ok := l.add(at.Add(time.Second), -187, cause); !ok {
		t.Error("another code is not reported")
	}
	if got := l.due(at.Add(9 * time.Second)); len(got) != 0 {
		t.Errorf("due too early: %v", got)
	}
	got := l.due(at.Add(10 * time.Second))
	if len(got) != 1 || got[0].count != 5 || got[0].code != -195 {
		t.Errorf("due: %v", got)
	}
	l.due(at.Add(21 * time.Second))
	if _, ok := l.add(at.Add(22*time.Second), -195, cause); !ok {
		t.Error("after a quiet time the first is not reported")
	}
}

func TestStatisticsGiveTheReadableEnd(t *testing.T) {
	t.Parallel()
	s, err := parseStats(`{"cgrp":{"state":"up","join_state":"steady"},
		"brokers":{"GroupCoordinator":{"rxidle":2500000},"b/1":{"rxidle":-1}},"topics":{"in":{"partitions":{
		"0":{"partition":0,"fetch_state":"active","hi_offset":20,"ls_offset":15},
		"1":{"partition":1,"fetch_state":"none","hi_offset":-1001,"ls_offset":-1001},
		"-1":{"partition":-1,"fetch_state":"none","hi_offset":-1001,"ls_offset":-1001}}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	ps := s.partitions()
	if len(ps) != 2 || ps[part(0)].end(false) != 15 || ps[part(0)].end(true) != 20 || ps[part(1)].end(false) != -1 {
		t.Errorf("%+v", ps)
	}
	if s.Group.JoinState != "steady" || s.groupIdle() != 2500*time.Millisecond {
		t.Errorf("%+v", s.Group)
	}
	if _, err := parseStats("{"); err == nil {
		t.Error("half a text is read")
	}
}
