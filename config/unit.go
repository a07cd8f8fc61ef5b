package config

import (
	"errors"
	"math/big"
	"strconv"
	"strings"
	"time"
)

var (
	errNoUnit      = errors.New("no unit")
	errNotSize     = errors.New("not a size")
	errNotDuration = errors.New("not a duration")
)

// unit is a suffix of a size and the bytes that it stands for. Sizes are parsed
// here, in exact arithmetic, because what is read is also written back: the
// libraries for it round to one decimal, and take bare numbers.
type unit struct {
	suffix string
	bytes  int64
}

func units() []unit {
	return []unit{
		{"GiB", 1 << 30},
		{"MiB", 1 << 20},
		{"KiB", 1 << 10},
		{"GB", 1_000_000_000},
		{"MB", 1_000_000},
		{"kB", 1_000},
		{"KB", 1_000},
		{"B", 1},
	}
}

// parseSize reads "4MiB", "1.5 GiB" or "500kB".
func parseSize(s string) (int64, error) {
	s = strings.TrimSpace(s)
	if s == "0" {
		return 0, nil
	}
	for _, u := range units() {
		number, found := strings.CutSuffix(s, u.suffix)
		if !found {
			continue
		}
		number = strings.TrimSpace(number)
		if len(number) > 20 || strings.ContainsAny(number, "eE/_xXpP") {
			return 0, errNotSize
		}
		value, ok := new(big.Rat).SetString(number)
		if !ok {
			return 0, errNotSize
		}
		value.Mul(value, new(big.Rat).SetInt64(u.bytes))
		if !value.IsInt() {
			return 0, errNotSize
		}
		if !value.Num().IsInt64() {
			return 0, errNotSize
		}
		return value.Num().Int64(), nil
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return 0, errNoUnit
	}
	return 0, errNotSize
}

// formatSize writes a size so that parseSize reads the same number.
func formatSize(n int64) string {
	if n == 0 {
		return "0"
	}
	for _, u := range units()[:3] {
		if n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.suffix
		}
	}
	return strconv.FormatInt(n, 10) + "B"
}

// parseDuration reads "250ms", "1m30s"; only 0 may stand without a unit.
func parseDuration(s string) (time.Duration, error) {
	s = strings.TrimSpace(s)
	d, err := time.ParseDuration(s)
	if err == nil {
		return d, nil
	}
	if _, numeric := strconv.ParseFloat(s, 64); numeric == nil {
		return 0, errNoUnit
	}
	return 0, errNotDuration
}

// formatDuration writes a duration without the zero parts that time.Duration
// prints: 1m, not 1m0s.
func formatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	if s == "0s" {
		return "0"
	}
	return s
}
