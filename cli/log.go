package cli

import (
	"errors"
	"time"

	"github.com/rs/zerolog"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// events gives the sink that turns events into log lines. The message is the
// event's name, which is constant; what changes is in fields.
func events(logger zerolog.Logger) event.Sink {
	var limit limiter
	return func(at time.Time, e event.Event) {
		level := levelOf(e)
		// What nobody sees costs nothing, and counts as no repeat.
		if level < logger.GetLevel() {
			return
		}
		key, often := repeats(e)
		skipped := 0
		if often {
			var ok bool
			if skipped, ok = limit.allow(key, at); !ok {
				return
			}
		}
		line := logger.WithLevel(level).Str(zerolog.TimestampFieldName, stamp(at))
		if skipped > 0 {
			line.Int("suppressed", skipped)
		}
		fields(line, e)
		line.Msg(e.Name())
	}
}

// levelOf says how loud an event is: error for what needs somebody, warn for
// what mends itself, debug for what follows every one of those.
func levelOf(e event.Event) zerolog.Level {
	switch e := e.(type) {
	case event.HoldStarted:
		switch e.Reason {
		case "paused":
			return zerolog.ErrorLevel
		case "drain":
			// What ends the assignment is a line of its own.
			return zerolog.DebugLevel
		case "operator":
			return zerolog.InfoLevel
		}
		return zerolog.WarnLevel
	case event.HoldEnded, event.MemberState:
		return zerolog.DebugLevel
	case event.ClientError:
		if e.Fatal {
			return zerolog.ErrorLevel
		}
		return zerolog.WarnLevel
	case event.CommitFailed:
		// Refused during a rebalance and kept: that is how the group works.
		if e.Kept {
			return zerolog.DebugLevel
		}
		return zerolog.WarnLevel
	case event.PartitionRevoked:
		if !e.Drained {
			return zerolog.WarnLevel
		}
	case event.PartitionLost, event.UnitSkipped, event.ProcessorSlow, event.DeliveryRewound, event.CommitPending:
		return zerolog.WarnLevel
	case event.ProcessorPanicked, event.FeedFailed, event.HookFailed, event.Unhealthy:
		return zerolog.ErrorLevel
	}
	return zerolog.InfoLevel
}

// fields writes what an event carries, under the names that every line of
// Pitlane uses.
func fields(l *zerolog.Event, e event.Event) {
	switch e := e.(type) {
	case event.PartitionAssigned:
		source(l, e.Source).Int64("offset", e.Offset).Str("from", e.From)
	case event.PartitionRevoked:
		source(l, e.Source).Int64("position", e.Position).Bool("drained", e.Drained).Stringer("waited", e.Waited)
	case event.PartitionLost:
		source(l, e.Source).Str("reason", e.Reason)
	case event.HoldStarted:
		source(l, e.Source).Str("reason", e.Reason).Int64("offset", e.Offset)
		if e.Attempt > 0 {
			l.Int("attempt", e.Attempt)
		}
		if !e.Until.IsZero() {
			l.Str("until", stamp(e.Until))
		}
		l.Func(cause(e.Cause))
	case event.HoldEnded:
		source(l, e.Source).Str("reason", e.Reason).Stringer("held", e.Held)
	case event.UnitSkipped:
		source(l, e.Source).Int64("offset", e.Offset).Int("messages", e.Messages).Func(cause(e.Cause))
	case event.ProcessorPanicked:
		source(l, e.Source).Int64("offset", e.Offset).Str("panic", e.Value).Str("stack", e.Stack)
	case event.ProcessorSlow:
		source(l, e.Source).Int64("offset", e.Offset).Int("attempt", e.Attempt).Stringer("running", e.Running).Str("stack", e.Stack)
	case event.DeliveryRewound:
		source(l, e.Source).Int64("offset", e.Offset).Int("units", e.Units).Func(cause(e.Cause))
	case event.FeedFailed:
		source(l, e.Source).Int64("offset", e.Offset).Func(cause(e.Cause))
	default:
		clientFields(l, e)
	}
}

// clientFields are those of events that belong to no partition.
func clientFields(l *zerolog.Event, e event.Event) {
	switch e := e.(type) {
	case event.MemberState:
		l.Str("member", e.Member).Str("from", e.From).Str("to", e.To)
	case event.ClientError:
		l.Str("client", e.Client).Int("code", e.Code).Bool("fatal", e.Fatal).Int("count", e.Count).Func(cause(e.Cause))
	case event.CommitFailed:
		l.Str("member", e.Member).Int("code", e.Code).Bool("kept", e.Kept).Func(cause(e.Cause))
	case event.CommitPending:
		l.Str("member", e.Member).Stringer("age", e.Age)
	case event.HookFailed:
		l.Str("member", e.Member).Str("hook", e.Hook).Func(cause(e.Cause))
		if p, ok := errors.AsType[*processor.PanicError](e.Cause); ok {
			l.Bytes("stack", p.Stack)
		}
	case event.Unhealthy:
		l.Str("reason", e.Reason).Func(cause(e.Cause))
	case event.Healthy:
		l.Str("reason", e.Reason).Stringer("lasted", e.Lasted)
	case event.RunnerState:
		l.Str("from", e.From).Str("to", e.To)
		if e.Reason != "" {
			l.Str("reason", e.Reason)
		}
	}
}

// cause adds the failure behind an event, if there is one.
func cause(err error) func(*zerolog.Event) {
	return func(l *zerolog.Event) {
		if err != nil {
			l.Str(zerolog.ErrorFieldName, errText(err))
		}
	}
}

func source(l *zerolog.Event, s event.Source) *zerolog.Event {
	return l.Str("topic", s.Partition.Topic).Int32("partition", s.Partition.Partition).
		Str("member", s.Member).Int64("assignment_epoch", s.Epoch)
}
