package rig

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest/cluster"
)

// buildTimeout bounds the build of one binary: the client is large, and the
// first link of it slow.
const buildTimeout = 10 * time.Minute

// Suite is what the tests of a package share.
type Suite struct {
	dir string

	mu       sync.Mutex
	clusters map[int]*cluster.Cluster
	binaries map[string]string
}

// parallel is how many tests run side by side at least, of those that say that
// they can: they wait for brokers and for heartbeats most of the time.
const parallel = 6

// Main runs a package's tests with a suite and returns the exit code.
func Main(m *testing.M, set func(*Suite)) int {
	flag.Parse()
	if runtime.GOMAXPROCS(0) < parallel {
		if err := flag.Set("test.parallel", strconv.Itoa(parallel)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	dir, err := os.MkdirTemp("", "pitlane-scenario-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	s := &Suite{dir: dir, clusters: map[int]*cluster.Cluster{}, binaries: map[string]string{}}
	set(s)
	code := m.Run()
	for _, c := range s.clusters {
		if err := c.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return code
}

// Cluster returns the shared cluster of this size. A test that breaks a broker
// mends it before it ends.
func (s *Suite) Cluster(t *testing.T, brokers int) *cluster.Cluster {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.clusters[brokers]; c != nil {
		return c
	}
	c, err := cluster.Run(t.Context(), cluster.Config{
		Brokers: brokers, ExtraListeners: 1,
		// With KIP-848 a group waits for a killed member as long as the brokers say,
		// by default 45 s.
		Properties: map[string]string{
			"group.consumer.session.timeout.ms": "12000", "group.consumer.min.session.timeout.ms": "12000",
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.clusters[brokers] = c
	return c
}

// Binary builds a command of this module, once, and returns its path. Race adds
// the race detector.
func (s *Suite) Binary(t *testing.T, pkg string, race bool) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	name := filepath.Base(pkg)
	args := []string{"build"}
	if race {
		name += "-race"
		args = append(args, "-race")
	}
	if path := s.binaries[name]; path != "" {
		return path
	}
	path := filepath.Join(s.dir, name)
	ctx, cancel := context.WithTimeout(t.Context(), buildTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", append(args, "-o", path, "github.com/pitlane-go/pitlane/"+pkg)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
	s.binaries[name] = path
	return path
}
