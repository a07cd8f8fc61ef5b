package live

import (
	"bytes"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
)

// How often a Screen wants a new frame.
const (
	terminalInterval = 200 * time.Millisecond
	plainInterval    = time.Second
)

// Screen draws frames.
type Screen struct {
	out      io.Writer
	terminal bool
	color    bool
	// drawn is how many lines of the last frame are on the terminal.
	drawn int
}

// New returns a screen for out. It is redrawn in place if out is a terminal that
// can do that; there the environment variable NO_COLOR turns colours off.
func New(out io.Writer) *Screen {
	f, ok := out.(*os.File)
	terminal := ok && isatty.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
	return &Screen{out: out, terminal: terminal, color: terminal && os.Getenv("NO_COLOR") == ""}
}

// NewTerminal returns a screen that redraws in place whatever out is.
func NewTerminal(out io.Writer, color bool) *Screen {
	return &Screen{out: out, terminal: true, color: color}
}

// Interval is how often Draw should be called.
func (s *Screen) Interval() time.Duration {
	if s.terminal {
		return terminalInterval
	}
	return plainInterval
}

// ANSI sequences. Without line wrap a narrow terminal cuts lines instead of
// breaking them, so a frame is as high as its number of lines.
const (
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	wrapOff    = "\x1b[?7l"
	wrapOn     = "\x1b[?7h"
	clearRest  = "\x1b[K"
	clearBelow = "\x1b[J"
)

// Draw shows the frame in place of the one before, or as a line.
func (s *Screen) Draw(f Frame) error {
	if !s.terminal {
		_, err := io.WriteString(s.out, line(f)+"\n")
		return err
	}
	lines := picture(f, s.paint)
	var b bytes.Buffer
	b.WriteString(hideCursor + wrapOff + up(s.drawn))
	for _, l := range lines {
		b.WriteString(l + clearRest + "\n")
	}
	b.WriteString(clearBelow + wrapOn)
	s.drawn = len(lines)
	_, err := s.out.Write(b.Bytes())
	return err
}

// Close leaves the last frame where it is and gives the terminal back. It may be
// called more than once.
func (s *Screen) Close() error {
	if !s.terminal {
		return nil
	}
	s.drawn = 0
	_, err := io.WriteString(s.out, wrapOn+showCursor)
	return err
}

// style is what a piece of text means.
type style string

const (
	plain  style = ""
	strong style = "1"
	faint  style = "2"
	good   style = "32"
	held   style = "33"
)

func (s *Screen) paint(st style, text string) string {
	if !s.color || st == plain || strings.TrimSpace(text) == "" {
		return text
	}
	return "\x1b[" + string(st) + "m" + text + "\x1b[0m"
}
