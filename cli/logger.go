package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"github.com/pitlane-go/pitlane/config"
)

// stamp writes a time as every log line has it. zerolog's own format is one for
// the whole process, which may be a user's.
func stamp(at time.Time) string { return at.Format("2006-01-02T15:04:05.000Z07:00") }

// clock is the hook that gives lines their time, except those of events.
type clock struct{}

// Run implements zerolog.Hook.
func (clock) Run(e *zerolog.Event, _ zerolog.Level, _ string) {
	e.Str(zerolog.TimestampFieldName, stamp(time.Now()))
}

// newLogger makes the logger of a run. It writes no time of its own: events
// carry theirs.
func newLogger(c config.Log, out io.Writer) zerolog.Logger {
	level, err := zerolog.ParseLevel(c.Level)
	if err != nil {
		level = zerolog.InfoLevel // config lets no other word through
	}
	if c.Format == "console" || (c.Format == "auto" && terminal(out)) {
		out = zerolog.ConsoleWriter{Out: out, NoColor: !terminal(out), TimeFormat: "15:04:05.000"}
	}
	return zerolog.New(zerolog.SyncWriter(out)).Level(level)
}

// stamped is the logger for lines that are no events.
func stamped(logger zerolog.Logger) zerolog.Logger { return logger.Hook(clock{}) }

// slogger is the same logger for processors, which know the standard library
// only.
func slogger(logger zerolog.Logger) *slog.Logger {
	return slog.New(untimed{zerolog.NewSlogHandler(stamped(logger))})
}

// untimed takes the time out of records: the hook writes it.
type untimed struct{ slog.Handler }

// Handle implements slog.Handler.
func (u untimed) Handle(ctx context.Context, r slog.Record) error {
	r.Time = time.Time{}
	return u.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (u untimed) WithAttrs(attrs []slog.Attr) slog.Handler {
	return untimed{u.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (u untimed) WithGroup(name string) slog.Handler { return untimed{u.Handler.WithGroup(name)} }

func terminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
