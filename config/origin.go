package config

import (
	"cmp"
	"fmt"
)

// Source is the kind of place that a value comes from.
type Source int

// The sources, in the order in which they override each other: the last wins.
const (
	SourceDefault Source = iota
	SourceFile
	SourceEnv
	SourceFlag
)

// Origin is the place where a value was written.
type Origin struct {
	Source Source
	// Name is the file, the environment variable or the flag (with its dashes).
	Name string
	// Line and Column are 1-based and 0 where they say nothing: always for the
	// environment and for flags, and in a file for what is not in it at all.
	Line, Column int
}

// String gives the place in the form that editors and people follow.
func (o Origin) String() string {
	switch o.Source {
	case SourceFile:
		if o.Line == 0 {
			return o.Name
		}
		return fmt.Sprintf("%s:%d:%d", o.Name, o.Line, o.Column)
	case SourceEnv:
		return "env " + o.Name
	case SourceFlag:
		return "flag " + o.Name
	case SourceDefault:
	}
	return "default"
}

func (o Origin) compare(other Origin) int {
	return cmp.Or(
		cmp.Compare(o.Source, other.Source),
		cmp.Compare(o.Line, other.Line),
		cmp.Compare(o.Column, other.Column),
	)
}
