package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// scalar is the codec of a setting that is one word.
type scalar[T any] struct {
	// at gives the place of the value in a configuration.
	at func(*Config) *T
	// wants says what a value looks like, with an example.
	wants string
	parse func(text string) (T, error)
	write func(T) any
	// check says what is wrong with the value, or returns "".
	check func(T) string
	// textOnly refuses what YAML reads as a number or a boolean.
	textOnly bool
}

func (s scalar[T]) show(c *Config) any { return s.write(*s.at(c)) }

func (s scalar[T]) decode(c *Config, key string, n node, p *problems) {
	switch {
	case n.shape == shapeNull:
		p.add(n.origin, key, "has no value", "it wants "+s.wants)
		return
	case !n.scalar():
		p.add(n.origin, key, "wants "+s.wants+", not "+n.shape.String(), "")
		return
	case s.textOnly && (n.shape == shapeNumber || n.shape == shapeBool):
		p.add(n.origin, key, fmt.Sprintf("wants text, and YAML reads %s as %s", n.text, n.shape),
			fmt.Sprintf("write it in quotes: %q", n.text))
		return
	}
	v, err := s.parse(n.text)
	switch {
	case errors.Is(err, errNoUnit):
		p.add(n.origin, key, fmt.Sprintf("%q has no unit", n.text), s.unitRemedy(n.text))
		return
	case err != nil:
		p.add(n.origin, key, fmt.Sprintf("cannot be %q", n.text), "it wants "+s.wants)
		return
	}
	if wrong := s.check(v); wrong != "" {
		message, remedy, _ := strings.Cut(wrong, "; ")
		p.add(n.origin, key, fmt.Sprintf("%v %s", s.write(v), message), remedy)
		return
	}
	*s.at(c) = v
}

// unitRemedy shows the same number with the unit that is most often meant.
func (s scalar[T]) unitRemedy(text string) string {
	var zero T
	if _, ok := any(zero).(time.Duration); ok {
		return fmt.Sprintf("write %sms, or another unit (us, ms, s, m, h)", text)
	}
	return fmt.Sprintf("write %sMiB, or another unit (B, KiB, MiB, GiB, kB, MB, GB)", text)
}

// ordered is what has a range.
type ordered interface {
	~int | ~int64 | ~float64
}

// between builds the check of a closed range and the words for it. zeroToo also
// lets 0 in, which then has a meaning of its own.
func between[T ordered](low, high T, write func(T) any, zeroToo bool) (check func(T) string, words string) {
	words = fmt.Sprintf("%v to %v", write(low), write(high))
	if zeroToo {
		words = "0, or " + words
	}
	return func(v T) string {
		if (zeroToo && v == 0) || (v >= low && v <= high) {
			return ""
		}
		return "is out of range; it wants " + words
	}, words
}

// span is the range of a number.
type span[T ordered] struct {
	low, high T
	// zeroToo lets 0 in below low, with a meaning of its own.
	zeroToo bool
}

func durationKey(path string, r span[time.Duration], at func(*Config) *time.Duration, doc string) Key {
	write := func(d time.Duration) any { return formatDuration(d) }
	check, words := between(r.low, r.high, write, r.zeroToo)
	return Key{
		Path: path, Type: "duration", Range: words, Doc: doc,
		codec: scalar[time.Duration]{at: at, wants: "a duration such as 250ms or 1m30s", parse: parseDuration, write: write, check: check},
	}
}

func sizeKey(path string, r span[int64], at func(*Config) *int64, doc string) Key {
	write := func(n int64) any { return formatSize(n) }
	check, words := between(r.low, r.high, write, r.zeroToo)
	return Key{
		Path: path, Type: "size", Range: words, Doc: doc,
		codec: scalar[int64]{at: at, wants: "a size such as 4MiB", parse: parseSize, write: write, check: check},
	}
}

func intKey(path string, r span[int], at func(*Config) *int, doc string) Key {
	write := func(n int) any { return n }
	check, words := between(r.low, r.high, write, r.zeroToo)
	return Key{
		Path: path, Type: "number", Range: words, Doc: doc,
		codec: scalar[int]{at: at, wants: "a whole number, " + words, parse: parseInt, write: write, check: check},
	}
}

func floatKey(path string, r span[float64], at func(*Config) *float64, doc string) Key {
	write := func(f float64) any { return f }
	check, words := between(r.low, r.high, write, r.zeroToo)
	return Key{
		Path: path, Type: "number", Range: words, Doc: doc,
		codec: scalar[float64]{at: at, wants: "a number, " + words, parse: parseFloat, write: write, check: check},
	}
}

func boolKey(path string, at func(*Config) *bool, doc string) Key {
	return Key{
		Path: path, Type: "true or false", Doc: doc,
		codec: scalar[bool]{
			at: at, wants: "true or false", parse: parseBool,
			write: func(b bool) any { return b },
			check: func(bool) string { return "" },
		},
	}
}

func textKey[T ~string](path string, at func(*Config) *T, doc string) Key {
	return Key{
		Path: path, Type: "text", Doc: doc,
		codec: scalar[T]{
			at: at, wants: "text", textOnly: true,
			parse: func(s string) (T, error) { return T(s), nil },
			write: func(s T) any { return string(s) },
			check: func(T) string { return "" },
		},
	}
}

// wordKey is a setting that is one of a few words.
func wordKey[T ~string](path string, words []T, at func(*Config) *T, doc string) Key {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = string(w)
	}
	list := strings.Join(names, ", ")
	wants := "one of " + list
	if len(names) == 1 {
		wants = list
	}
	check := func(v T) string {
		if slices.Contains(words, v) {
			return ""
		}
		wrong := "is not valid; it wants " + wants
		if near := Nearest(string(v), names); near != "" {
			wrong += "; " + didYouMean(near)
		}
		return wrong
	}
	return Key{
		Path: path, Type: "word", Range: list, Doc: doc,
		codec: scalar[T]{
			at: at, wants: wants, check: check,
			parse: func(s string) (T, error) { return T(s), nil },
			write: func(s T) any { return string(s) },
		},
	}
}

var (
	errNotNumber = errors.New("not a number")
	errNotBool   = errors.New("not true or false")
)

func parseInt(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return 0, errNotNumber
	}
	return n, nil
}

func parseFloat(s string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, errNotNumber
	}
	return f, nil
}

func parseBool(s string) (bool, error) {
	switch s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, errNotBool
}
