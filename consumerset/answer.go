package consumerset

import (
	"errors"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// answer is what a commit's result means.
type answer uint8

const (
	// answerDone: the positions in the entries are committed.
	answerDone answer = iota
	// answerNothing: there was nothing to commit.
	answerNothing
	// answerLater: not committed yet, as every healthy member sees in a rebalance
	// and while the coordinator moves. Positions are kept; a revoke tries again.
	answerLater
	// answerLost: the group has expelled the member: all its partitions are lost,
	// whatever the client says of them.
	answerLost
	// answerFailed: not committed. Positions are kept for the next commit.
	answerFailed
)

// answerOf reads the error of a commit.
func answerOf(err error) answer {
	if err == nil {
		return answerDone
	}
	switch code(err) {
	case kafka.ErrNoOffset:
		return answerNothing
	case kafka.ErrIllegalGeneration, kafka.ErrRebalanceInProgress, kafka.ErrStaleMemberEpoch,
		kafka.ErrCoordinatorLoadInProgress, kafka.ErrCoordinatorNotAvailable, kafka.ErrNotCoordinator:
		return answerLater
	case kafka.ErrUnknownMemberID, kafka.ErrFencedMemberEpoch, kafka.ErrAssignmentLost:
		return answerLost
	default:
		return answerFailed
	}
}

// code returns the client's code of an error, or ErrUnknown.
func code(err error) kafka.ErrorCode {
	if ke, ok := errors.AsType[kafka.Error](err); ok {
		return ke.Code()
	}
	return kafka.ErrUnknown
}
