package admin_test

import (
	"errors"
	"testing"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/admin"
)

func TestCodesStandForTheirSentinel(t *testing.T) {
	t.Parallel()
	sentinels := []error{admin.ErrUnknownTopic, admin.ErrNotAuthorized, admin.ErrLeaderUnreachable, admin.ErrClosed}
	for code, want := range map[kafka.ErrorCode]error{
		kafka.ErrUnknownTopicOrPart:       admin.ErrUnknownTopic,
		kafka.ErrUnknownTopic:             admin.ErrUnknownTopic,
		kafka.ErrUnknownPartition:         admin.ErrUnknownTopic,
		kafka.ErrTopicAuthorizationFailed: admin.ErrNotAuthorized,
		kafka.ErrGroupAuthorizationFailed: admin.ErrNotAuthorized,
		kafka.ErrLeaderNotAvailable:       admin.ErrLeaderUnreachable,
		kafka.ErrTimedOut:                 nil,
	} {
		e := &admin.Error{Asked: "ask", Code: int(code), Cause: kafka.NewError(code, "", false)}
		for _, s := range sentinels {
			if errors.Is(e, s) != (s == want) { //nolint:errorlint // the sentinels themselves
				t.Errorf("%v is %v: %v", code, s, errors.Is(e, s))
			}
		}
		if !errors.Is(e, e.Cause) {
			t.Errorf("%v: the cause is not reached", code)
		}
	}
}
