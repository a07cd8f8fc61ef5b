// Package docs_test holds the documents to what the repository has: links lead
// somewhere, commands exist, versions agree, the example compiles.
package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// root is the repository's root, seen from this package.
const root = ".."

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	found := 0
	for _, page := range pages(t) {
		for _, match := range link.FindAllStringSubmatch(read(t, page), -1) {
			target, _, _ := strings.Cut(match[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			found++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), target)); err != nil {
				t.Errorf("%s: link to %s: %v", page, target, err)
			}
		}
	}
	if found == 0 {
		t.Error("no link found: the pattern matches nothing")
	}
}

func TestMakeTargetsInProseExist(t *testing.T) {
	targets := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(read(t, filepath.Join(root, "Makefile")), -1) {
		targets[match[1]] = true
	}
	command := regexp.MustCompile("(?m)(?:`|^)make ([a-z-]+)")
	found := 0
	for _, page := range pages(t) {
		for _, match := range command.FindAllStringSubmatch(read(t, page), -1) {
			found++
			if !targets[match[1]] {
				t.Errorf("%s: make %s: no such target", page, match[1])
			}
		}
	}
	if found == 0 {
		t.Error("no make command found: the pattern matches nothing")
	}
}

// pages are the Markdown files that speak of the repository.
func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/adr/*.md", "examples/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
