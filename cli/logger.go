package cli

import (
	"io"
	"log/slog"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"github.com/pitlane-go/pitlane/config"
)

// timeFormat is that of every log line: zerolog's default ends with the second.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

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
func stamped(logger zerolog.Logger) zerolog.Logger { return logger.With().Timestamp().Logger() }

// slogger is the same logger for processors, which know the standard library
// only.
func slogger(logger zerolog.Logger) *slog.Logger {
	return slog.New(zerolog.NewSlogHandler(stamped(logger)))
}

func terminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
