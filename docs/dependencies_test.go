package docs_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// row is a line of a table in dependencies.md: a module or tool and its version.
var row = regexp.MustCompile("(?m)^\\| `?([^`| ]+)`? \\| (v[^ |]+) \\|")

func TestDependenciesPageHasTheVersionsOfGoMod(t *testing.T) {
	required := regexp.MustCompile(`(?m)^(?:require)?\s+(\S+\.\S+/\S+) (v\S+)( // indirect)?$`)
	listed := rows(t)
	matches := required.FindAllStringSubmatch(read(t, filepath.Join(root, "go.mod")), -1)
	if len(matches) == 0 {
		t.Fatal("go.mod: no requirement found: the pattern matches nothing")
	}
	for _, match := range matches {
		module, version, direct := match[1], match[2], match[3] == ""
		switch got, ok := listed[module]; {
		case ok && got != version:
			t.Errorf("%s: the page says %s, go.mod %s", module, got, version)
		case !ok && direct:
			t.Errorf("%s: a direct dependency that the page does not name", module)
		}
		delete(listed, module)
	}
	for module := range listed {
		if strings.Contains(module, "/") {
			t.Errorf("%s: the page names it, go.mod does not", module)
		}
	}
}

func TestDependenciesPageHasTheToolsOfTheMakefile(t *testing.T) {
	pinned := regexp.MustCompile(`(?m)^\t.*install \S+/([a-z-]+)@\$\(([A-Z_]+)\)`)
	makefile := read(t, filepath.Join(root, "Makefile"))
	listed := rows(t)
	matches := pinned.FindAllStringSubmatch(makefile, -1)
	if len(matches) == 0 {
		t.Fatal("Makefile: no tool found: the pattern matches nothing")
	}
	for _, match := range matches {
		tool, variable := match[1], match[2]
		version := regexp.MustCompile(`(?m)^` + variable + `\s*:= (\S+)$`).FindStringSubmatch(makefile)
		if version == nil {
			t.Errorf("%s: %s has no value", tool, variable)
			continue
		}
		if listed[tool] != version[1] {
			t.Errorf("%s: the page says %q, the Makefile %s", tool, listed[tool], version[1])
		}
	}
}

func rows(t *testing.T) map[string]string {
	t.Helper()
	listed := map[string]string{}
	for _, match := range row.FindAllStringSubmatch(read(t, "dependencies.md"), -1) {
		listed[match[1]] = match[2]
	}
	if len(listed) == 0 {
		t.Fatal("dependencies.md: no row found: the pattern matches nothing")
	}
	return listed
}
