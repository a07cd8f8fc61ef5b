package kafkatest

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// wireEvent is an Event as a JSON line: zero values are left out, times are
// nanoseconds since 1970.
type wireEvent struct {
	Seq          uint64 `json:"seq"`
	At           int64  `json:"at"`
	Kind         string `json:"kind"`
	Member       string `json:"member"`
	Epoch        int32  `json:"epoch"`
	Topic        string `json:"topic"`
	Partition    int32  `json:"partition"`
	Offset       int64  `json:"offset"`
	ID           int64  `json:"id"`
	Key          string `json:"key"`
	Attempt      int32  `json:"attempt"`
	Unit         int64  `json:"unit"`
	Outcome      string `json:"outcome"`
	OutTopic     string `json:"out_topic"`
	OutPartition int32  `json:"out_partition"`
	OutOffset    int64  `json:"out_offset"`
	Generation   int32  `json:"generation"`
	Group        string `json:"group"`
	LogPosition  int64  `json:"log_position"`
	Reason       string `json:"reason"`
}

func (w wireEvent) event() (Event, error) {
	kinds, outcomes := kindNames(), outcomeNames()
	kind := slices.Index(kinds[:], w.Kind)
	if kind < 1 {
		return Event{}, fmt.Errorf("kind %q: %w", w.Kind, ErrUnknownName)
	}
	outcome := max(slices.Index(outcomes[:], w.Outcome), 0)
	if outcome == 0 && w.Outcome != "" {
		return Event{}, fmt.Errorf("outcome %q: %w", w.Outcome, ErrUnknownName)
	}
	e := Event{
		Seq: w.Seq, Kind: Kind(kind), Member: w.Member, Epoch: w.Epoch, ID: w.ID, Key: w.Key,
		Attempt: w.Attempt, Unit: w.Unit, Outcome: Outcome(outcome), Generation: w.Generation,
		Group: w.Group, LogPosition: w.LogPosition, Reason: w.Reason,
		Input:  Position{w.Topic, w.Partition, w.Offset},
		Output: Position{w.OutTopic, w.OutPartition, w.OutOffset},
	}
	if w.At != 0 {
		e.At = time.Unix(0, w.At)
	}
	return e, nil
}

// appendLine appends the event as a line. It is written by hand because a
// processor under load notes two lines per message.
func appendLine(b []byte, e Event) []byte {
	b = append(b, `{"seq":`...)
	b = strconv.AppendUint(b, e.Seq, 10)
	if !e.At.IsZero() {
		b = appendInt(b, "at", e.At.UnixNano())
	}
	b = appendText(b, "kind", e.Kind.String())
	b = appendText(b, "member", e.Member)
	b = appendInt(b, "epoch", int64(e.Epoch))
	b = appendText(b, "topic", e.Input.Topic)
	b = appendInt(b, "partition", int64(e.Input.Partition))
	b = appendInt(b, "offset", e.Input.Offset)
	b = appendInt(b, "id", e.ID)
	b = appendText(b, "key", e.Key)
	b = appendInt(b, "attempt", int64(e.Attempt))
	b = appendInt(b, "unit", e.Unit)
	if e.Outcome != 0 {
		b = appendText(b, "outcome", e.Outcome.String())
	}
	b = appendText(b, "out_topic", e.Output.Topic)
	b = appendInt(b, "out_partition", int64(e.Output.Partition))
	b = appendInt(b, "out_offset", e.Output.Offset)
	b = appendInt(b, "generation", int64(e.Generation))
	b = appendText(b, "group", e.Group)
	b = appendInt(b, "log_position", e.LogPosition)
	b = appendText(b, "reason", e.Reason)
	return append(b, '}', '\n')
}

func appendInt(b []byte, name string, v int64) []byte {
	if v == 0 {
		return b
	}
	b = append(append(append(b, `,"`...), name...), `":`...)
	return strconv.AppendInt(b, v, 10)
}

func appendText(b []byte, name, v string) []byte {
	if v == "" {
		return b
	}
	b = append(append(append(b, `,"`...), name...), `":`...)
	return appendJSONString(b, v)
}

// appendJSONString differs from strconv.AppendQuote, which writes escapes that
// JSON does not know.
func appendJSONString(b []byte, v string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(v) {
		switch c := v[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
