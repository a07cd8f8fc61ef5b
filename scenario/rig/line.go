package rig

import (
	"encoding/json"
	"time"
)

// Line is one line of a process's log.
type Line struct {
	Text    string
	Message string
	Time    time.Time
	Fields  map[string]any
}

// parseLine reads a JSON log line; any other text is a line without a message.
func parseLine(text string) Line {
	l := Line{Text: text}
	if json.Unmarshal([]byte(text), &l.Fields) != nil {
		return l
	}
	l.Message, _ = l.Fields["message"].(string)
	l.Time = l.At("time")
	return l
}

// String returns a field as text, empty if it is not there.
func (l Line) String(field string) string {
	s, _ := l.Fields[field].(string)
	return s
}

// Int returns a field as a number, -1 if it is not there.
func (l Line) Int(field string) int64 {
	f, ok := l.Fields[field].(float64)
	if !ok {
		return -1
	}
	return int64(f)
}

// At returns a field as a time, zero if it is not there.
func (l Line) At(field string) time.Time {
	at, _ := time.Parse(time.RFC3339Nano, l.String(field))
	return at
}
