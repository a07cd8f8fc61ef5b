package config

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one mistake of the user.
type Problem struct {
	// Origin is where it was written.
	Origin Origin
	// Key is the path of the setting, or empty when the source as a whole is
	// at fault.
	Key string
	// Message says what is wrong, and the valid range, unit or values.
	Message string
	// Remedy says what to write instead; it may be empty.
	Remedy string
}

// String gives the problem on one line.
func (p Problem) String() string {
	var b strings.Builder
	if p.Origin.Source != SourceDefault {
		b.WriteString(p.Origin.String() + ": ")
	}
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	b.WriteString(p.Message)
	if p.Remedy != "" {
		b.WriteString("; " + p.Remedy)
	}
	return b.String()
}

// Error holds every problem that Load found. It is a mistake of the user, so
// that the command line leaves with 2 and shows no stack.
type Error struct {
	Problems []Problem
}

// Error lists the problems, one per line, under a line that counts them.
func (e *Error) Error() string {
	var b strings.Builder
	if len(e.Problems) == 1 {
		b.WriteString("configuration: 1 problem")
	} else {
		fmt.Fprintf(&b, "configuration: %d problems", len(e.Problems))
	}
	for _, p := range e.Problems {
		b.WriteString("\n  " + p.String())
	}
	return b.String()
}

// problems collects what is wrong while a configuration is read.
type problems struct {
	list []Problem
}

func (p *problems) add(o Origin, key, message, remedy string) {
	p.list = append(p.list, Problem{Origin: o, Key: key, Message: message, Remedy: remedy})
}

// err gives nil or an *Error whose problems stand in the order of their places.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	slices.SortStableFunc(p.list, func(a, b Problem) int { return a.Origin.compare(b.Origin) })
	return &Error{Problems: p.list}
}
