package delivery

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Refusal is a producer property that a user may not set, or not to some values.
type Refusal struct {
	// Name is the property; one that ends with "*" stands for all that begin so.
	Name string
	// Rule says in words which values are refused.
	Rule string
	// Reason is the promise that it would break.
	Reason string

	refuses func(value string) bool
}

// Refused lists what CheckProperty refuses, in a fixed order.
func Refused() []Refusal {
	always := func(string) bool { return true }
	notTrue := func(v string) bool { return !isTrue(v) }
	return []Refusal{
		{"acks", "other than all", "a record that only the leader has is lost with it", func(v string) bool { return v != "all" && v != "-1" }},
		{"enable.idempotence", "false", "the client's own retries would write records twice and out of order", notTrue},
		{messageTimeout, fmt.Sprintf("below %d", TimeoutMin.Milliseconds()), "a time-out that is shorter than an outage makes the client write acknowledged records twice", tooShort},
		{"transactional.id", "any value", "transactions are not supported", always},
		{"metadata.recovery.strategy", "none", "brokers that come back at other addresses would never be found again", func(v string) bool { return v == "none" }},
		{"enable.gapless.guarantee", "true", "one record that times out would end the producer", isTrue},
		{"delivery.report.only.error", "any value", "an acknowledged record would never be settled", always},
		{"go.batch.producer", "any value", "it drops headers and timestamps", always},
		{"go.delivery.reports", "any value", "delivery reports would be lost", always},
		{"go.*", "any value", "the runner sets the channels of the client itself", always},
	}
}

func tooShort(value string) bool {
	ms, err := strconv.ParseInt(value, 10, 64)
	// What is not a number is left to the client, which names the range.
	return err == nil && ms < int64(TimeoutMin/time.Millisecond)
}

// CheckProperty tells whether a user may set the producer property name to
// value: nil, or a *RefusedError. It knows the aliases too. Unknown names and
// values out of range are left to the client, which names them itself.
func CheckProperty(name, value string) error {
	list := Refused()
	i := slices.IndexFunc(list, func(r Refusal) bool { return r.covers(canonical(name)) })
	if i < 0 || !list[i].refuses(value) {
		return nil
	}
	return &RefusedError{Property: name, Value: value, Rule: list[i].Rule, Reason: list[i].Reason}
}

func (r Refusal) covers(name string) bool {
	if prefix, ok := strings.CutSuffix(r.Name, "*"); ok {
		return strings.HasPrefix(name, prefix)
	}
	return r.Name == name
}
