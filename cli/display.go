package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// display writes a value as it would stand in a file, on one line; nothing for
// what is empty.
func display(v any) string {
	if s, ok := v.(string); ok && s != "" && plainWord(s) {
		return s
	}
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	text, err := yaml.MarshalWithOptions(v, yaml.Flow(true))
	if err != nil {
		return fmt.Sprint(v)
	}
	s := strings.TrimSpace(string(text))
	if s == `""` || s == "[]" || s == "{}" {
		return ""
	}
	return s
}

// plainWord tells whether a string needs no quotes to be read as one.
func plainWord(s string) bool {
	if s == "0" {
		return true // of a duration or a size
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") == "" &&
		strings.ContainsAny(s[:1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/") &&
		s != "true" && s != "false" && s != "null"
}
