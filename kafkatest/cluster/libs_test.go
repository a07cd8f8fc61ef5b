package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// fakeMaven notes each call and makes the directory that it is asked for, after a
// failure if there is a file "fail" beside it.
const fakeMaven = `#!/bin/sh
here=$(dirname "$0")
echo call >>"$here/calls"
for a in "$@"; do
	case $a in -DoutputDirectory=*) out=${a#-DoutputDirectory=} ;; esac
done
mkdir -p "$out"
: >"$out/kafka-server-1.jar"
if [ -f "$here/fail" ]; then
	echo "cannot resolve" >&2
	exit 1
fi
`

func withFakeMaven(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "mvn"), []byte(fakeMaven), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(LibsEnv, "")
	return bin
}

func calls(t *testing.T, bin string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(bin, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(b), "call")
}

func TestJarsAreFetchedOnceByAllThatNeedThem(t *testing.T) {
	bin, cache := withFakeMaven(t), t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			dir, err := libs(t.Context(), cache)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := os.Stat(filepath.Join(dir, "kafka-server-1.jar")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := calls(t, bin); n != 1 {
		t.Errorf("mvn ran %d times, want once", n)
	}
}

func TestAFailedFetchLeavesNoHalfFilledCache(t *testing.T) {
	bin, cache := withFakeMaven(t), t.TempDir()
	fail := filepath.Join(bin, "fail")
	if err := os.WriteFile(fail, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := libs(t.Context(), cache); err == nil || !strings.Contains(err.Error(), "cannot resolve") {
		t.Errorf("error %v does not say what mvn said", err)
	}
	if found, _ := filepath.Glob(filepath.Join(cache, "kafka-*", "*")); len(found) > 0 {
		t.Errorf("the cache has %v", found)
	}
	if err := os.Remove(fail); err != nil {
		t.Fatal(err)
	}
	if _, err := libs(t.Context(), cache); err != nil {
		t.Errorf("the next fetch: %v", err)
	}
}
