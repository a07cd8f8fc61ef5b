package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestReadmeProcessorCompiles lets the go command see the block as a package of
// this module, by an overlay: nothing is written into the tree. It is not package
// main there, so that it is compiled and not linked.
func TestReadmeProcessorCompiles(t *testing.T) {
	block := regexp.MustCompile("(?ms)^```go\npackage main\n(.*?)^```").FindStringSubmatch(read(t, filepath.Join(root, "README.md")))
	if block == nil {
		t.Fatal("README.md: no program found")
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte("package readme\n"+block[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	module, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	seen := filepath.Join(module, "examples", "readme", "main.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{seen: source}})
	if err != nil {
		t.Fatal(err)
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlayFile, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlayFile, "./examples/readme")
	build.Dir = module
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}
