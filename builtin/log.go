package builtin

import (
	"context"
	"log/slog"

	"github.com/pitlane-go/pitlane/processor"
)

// Log writes one line per message: topic, partition, offset, key and sizes. The
// value is written at level debug only, since it may hold what does not belong
// in a log.
type Log struct {
	logger *slog.Logger
}

// NewLog makes a Log.
func NewLog() processor.Processor { return &Log{logger: slog.New(slog.DiscardHandler)} }

// Setup implements processor.Setuper.
func (l *Log) Setup(_ context.Context, env processor.Env) error {
	l.logger = env.Logger
	return nil
}

// Process implements processor.Processor.
func (l *Log) Process(ctx context.Context, m *processor.Message) error {
	attrs := []slog.Attr{
		slog.String("topic", m.Topic),
		slog.Int64("partition", int64(m.Partition)),
		slog.Int64("offset", m.Offset),
		text("key", m.Key),
		slog.Int("size", len(m.Value)),
		slog.Int("headers", len(m.Headers)),
	}
	if m.Attempt > 1 {
		attrs = append(attrs, slog.Int("attempt", m.Attempt))
	}
	level := slog.LevelInfo
	if l.logger.Enabled(ctx, slog.LevelDebug) {
		level = slog.LevelDebug
		attrs = append(attrs, text("value", m.Value))
	}
	l.logger.LogAttrs(ctx, level, "message", attrs...)
	return nil
}

// text keeps nil and empty apart: a tombstone is logged as null.
func text(key string, b []byte) slog.Attr {
	if b == nil {
		return slog.Any(key, nil)
	}
	return slog.String(key, string(b))
}
