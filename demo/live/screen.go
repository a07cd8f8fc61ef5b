package live

import (
	"bytes"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"golang.org/x/sys/unix"
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
	// height tells how many lines the terminal has, 0 if nobody knows.
	height func() int
	// drawn is how many lines of the last frame are on the terminal.
	drawn int
}

// New returns a screen for out. It is redrawn in place if out is a terminal that
// can do that; there the environment variable NO_COLOR turns colours off.
func New(out io.Writer) *Screen {
	f, ok := out.(*os.File)
	terminal := ok && isatty.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
	s := NewTerminal(out, terminal && os.Getenv("NO_COLOR") == "", 0)
	s.terminal = terminal
	if terminal {
		s.height = func() int { return heightOf(f) }
	}
	return s
}

// NewTerminal returns a screen that redraws in place whatever out is, on a
// terminal with this many lines; 0 is unknown.
func NewTerminal(out io.Writer, color bool, height int) *Screen {
	return &Screen{out: out, terminal: true, color: color, height: func() int { return height }}
}

// heightOf asks the terminal, whose user may change it at any time.
func heightOf(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Row)
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
	// A frame that is higher than the terminal cannot be redrawn in place: its
	// head is out of reach. The last line is where the cursor waits.
	if h := s.height(); h > 1 && len(lines) >= h {
		lines = lines[:h-1]
	}
	var b bytes.Buffer
	b.WriteString(hideCursor + wrapOff + up(s.drawn))
	for _, l := range lines {
		b.WriteString(l + clearRest + "\n")
	}
	// Given back at once: a process that is killed cannot do it later.
	b.WriteString(clearBelow + wrapOn + showCursor)
	s.drawn = len(lines)
	_, err := s.out.Write(b.Bytes())
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
