package consumerset

import (
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// reportEvery is how often the same error code is reported.
const reportEvery = 10 * time.Second

// limiter lets the first error of a code through and counts the rest. Time is an
// argument; it is not safe for concurrent use.
type limiter struct {
	codes map[int]*limited
}

type limited struct {
	at    time.Time
	count int
	cause error
}

// report is one error that is to be told, and how many it stands for.
type report struct {
	code  int
	count int
	cause error
}

// add counts an error and tells whether it is to be reported now.
func (l *limiter) add(now time.Time, code int, cause error) (r report, ok bool) {
	if l.codes == nil {
		l.codes = map[int]*limited{}
	}
	c := l.codes[code]
	if c == nil {
		l.codes[code] = &limited{at: now}
		return report{code, 1, cause}, true
	}
	c.count++
	c.cause = cause
	return report{}, false
}

// due returns what was counted for long enough. A code that was quiet for the whole
// time is forgotten: its next error is reported at once.
func (l *limiter) due(now time.Time) (out []report) {
	for code, c := range l.codes {
		if now.Sub(c.at) < reportEvery {
			continue
		}
		if c.count == 0 {
			delete(l.codes, code)
			continue
		}
		out = append(out, report{code, c.count, c.cause})
		c.at, c.count, c.cause = now, 0, nil
	}
	return out
}

// Reasons of trouble that an operator must end.
const (
	// ReasonAuthentication: the brokers refuse this client's credentials.
	ReasonAuthentication = "authentication"
	// ReasonGroupAuthorization: this client may not read the group.
	ReasonGroupAuthorization = "group authorization"
	// ReasonTopicAuthorization: this client may not read a topic.
	ReasonTopicAuthorization = "topic authorization"
	// ReasonUnknownTopic: a topic of the subscription does not exist.
	ReasonUnknownTopic = "unknown topic"
	// ReasonHook: OnAssigned failed.
	ReasonHook = "hook"
	// ReasonNoStart: a partition has no commit, and start is none.
	ReasonNoStart = "no start offset"
	// ReasonNotRevoked: the group has expelled the member, and nothing followed.
	ReasonNotRevoked = "expelled without a rebalance"
)

// trouble returns the reason that makes the runner unhealthy for an error of the
// client, "" for those that it recovers from by itself.
func trouble(c kafka.ErrorCode) string {
	switch c {
	case kafka.ErrAuthentication, kafka.ErrSsl, kafka.ErrSaslAuthenticationFailed:
		return ReasonAuthentication
	case kafka.ErrGroupAuthorizationFailed:
		return ReasonGroupAuthorization
	case kafka.ErrTopicAuthorizationFailed, kafka.ErrClusterAuthorizationFailed:
		return ReasonTopicAuthorization
	case kafka.ErrUnknownTopicOrPart, kafka.ErrUnknownTopic:
		return ReasonUnknownTopic
	default:
		return ""
	}
}
