package config

import (
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest gives the valid name that was most likely meant, or "".
func Nearest(name string, valid []string) string {
	best, distance := "", 0
	for _, v := range valid {
		d := distanceOf(strings.ToLower(name), strings.ToLower(v))
		if best == "" || d < distance {
			best, distance = v, d
		}
	}
	// Two edits are one slip of the fingers in a word that is long enough; in a
	// short one they make another word.
	limit := max(2, len(best)/3)
	if len(best) < 4 {
		limit = 1
	}
	if best == "" || distance > limit || distance >= len(name) {
		return ""
	}
	return best
}

// distanceOf counts edits; letters in another order are one slip.
func distanceOf(a, b string) int {
	x, y := []rune(a), []rune(b)
	slices.Sort(x)
	slices.Sort(y)
	if a != b && slices.Equal(x, y) {
		return 1
	}
	return levenshtein.Distance(a, b, nil)
}

func didYouMean(name string) string { return "did you mean " + name + "?" }

// elsewhere holds names under which other tools know a setting.
func elsewhere() map[string]string {
	return map[string]string{
		"bootstrap.servers": "brokers", "bootstrap_servers": "brokers", "broker": "brokers",
		"group.id": "group", "group_id": "group", "consumer_group": "group",
		"topic": "topics", "input_topic": "topics", "client.id": "client_id",
		"log_level": "log.level", "log_format": "log.format", "offset": "start", "auto.offset.reset": "start",
		"workers": "concurrency", "max_retries": "pause.max_attempts", "retries": "pause.max_attempts",
		"backoff": "pause", "retry": "pause", "ssl": "tls", "auth": "sasl", "isolation.level": "isolation",
	}
}

// suggestKey gives the key that an unknown path was meant to be, or "". A path
// that only lacks its section is found too.
func suggestKey(path string, keys []Key) string {
	if known, ok := elsewhere()[strings.ToLower(path)]; ok {
		return known
	}
	_, last, _ := cutLast(path)
	var paths []string
	seen := map[string]bool{}
	for _, k := range keys {
		for p := k.Path; p != "" && !seen[p]; p, _, _ = cutLast(p) {
			seen[p] = true
			paths = append(paths, p)
		}
	}
	for _, p := range paths {
		if _, name, nested := cutLast(p); nested && name == last {
			return p
		}
	}
	if near := Nearest(path, paths); near != "" {
		return near
	}
	for _, p := range paths {
		if _, name, nested := cutLast(p); nested && Nearest(last, []string{name}) != "" {
			return p
		}
	}
	return ""
}
