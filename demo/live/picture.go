package live

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

const barWidth = 24

// picture is the frame for a terminal, as lines.
func picture(f Frame, paint func(style, string) string) []string {
	lines := []string{
		"",
		"  " + paint(strong, f.Title) + "   " + paint(good, bar(f.Elapsed, f.Total)) + "  " + clock(f),
	}
	for _, n := range f.Notes {
		lines = append(lines, "  "+paint(faint, n))
	}
	width := len("PARTITION")
	for _, r := range f.Rows {
		width = max(width, len(r.Name))
	}
	lines = append(lines, "", paint(faint, fmt.Sprintf("  %-*s %10s %9s %9s   STATE", width, "PARTITION", "POSITION", "LAG", "RATE/S")))
	for _, r := range f.Rows {
		lines = append(lines, fmt.Sprintf("  %-*s %10s %9s %9.0f   %s",
			width, r.Name, humanize.Comma(r.Position), lag(r.Lag), r.Rate, state(r, paint)))
	}
	totals := make([]string, len(f.Totals))
	for i, t := range f.Totals {
		totals[i] = paint(faint, t.Name+" ") + humanize.Comma(t.Value)
	}
	return append(lines, "", "  "+strings.Join(totals, paint(faint, "  ·  ")), "")
}

func state(r Row, paint func(style, string) string) string {
	switch {
	case r.Hold == "" && r.Lag == 0 && r.Rate == 0:
		return paint(faint, "○ idle")
	case r.Hold == "":
		return paint(good, "● running")
	}
	text := paint(held, "■ "+holdText(r))
	if r.Cause != "" {
		text += "  " + paint(faint, r.Cause)
	}
	return text
}

// holdText is the hold with its countdown: "retry 3, next in 1.2s".
func holdText(r Row) string {
	text := r.Hold
	if r.Attempt > 0 {
		text += fmt.Sprintf(" %d", r.Attempt)
	}
	if r.Left > 0 {
		// Never "in 0.0s": what is left is rounded up.
		text += fmt.Sprintf(", next in %.1fs", max(r.Left.Seconds(), 0.1))
	}
	return text
}

// line is the frame as one line of text.
func line(f Frame) string {
	var b strings.Builder
	b.WriteString(clock(f))
	var behind int64
	for _, r := range f.Rows {
		behind += max(r.Lag, 0)
	}
	for _, t := range f.Totals {
		fmt.Fprintf(&b, " %s=%d", strings.ReplaceAll(t.Name, " ", "_"), t.Value)
	}
	fmt.Fprintf(&b, " lag=%d", behind)
	for _, r := range f.Rows {
		if r.Hold != "" {
			fmt.Fprintf(&b, " | %s at %d lag %d: %s", r.Name, r.Position, max(r.Lag, 0), holdText(r))
		}
	}
	return b.String()
}

func clock(f Frame) string {
	text := fmt.Sprintf("%2.0fs of %.0fs", min(f.Elapsed, f.Total).Seconds(), f.Total.Seconds())
	if f.Phase != "" {
		text += ", " + f.Phase
	}
	return text
}

func bar(elapsed, total time.Duration) string {
	full := barWidth
	if total > 0 && elapsed < total {
		full = int(int64(barWidth) * int64(max(elapsed, 0)) / int64(total))
	}
	return strings.Repeat("━", full) + strings.Repeat("┄", barWidth-full)
}

func lag(n int64) string {
	if n < 0 {
		return "?"
	}
	return humanize.Comma(n)
}

func up(lines int) string {
	if lines == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\r", lines)
}
