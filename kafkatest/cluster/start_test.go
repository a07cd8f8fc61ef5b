package cluster_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/kafkatest/cluster"
)

func TestConfigErrorsNameEveryField(t *testing.T) {
	_, err := cluster.Run(t.Context(), cluster.Config{
		Brokers: 2, ExtraListeners: 10, StartTimeout: -1, HeapBytes: 1,
		Properties: map[string]string{"node.id": "7"},
	})
	if !errors.Is(err, cluster.ErrConfig) {
		t.Fatalf("error %v is not ErrConfig", err)
	}
	for _, field := range []string{"Brokers", "ExtraListeners", "StartTimeout", "HeapBytes", "node.id"} {
		if !strings.Contains(err.Error(), field) {
			t.Errorf("error %q does not name %s", err, field)
		}
	}
}

func TestMissingToolsAreNamedWithTheirRemedy(t *testing.T) {
	path := t.TempDir()
	t.Setenv("PATH", path)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv(cluster.LibsEnv, "")
	start := func() error {
		_, err := cluster.Run(t.Context(), cluster.Config{})
		return err
	}
	if err := start(); !errors.Is(err, cluster.ErrNoJava) {
		t.Errorf("without java: %v", err)
	}
	if err := os.WriteFile(filepath.Join(path, "java"), []byte("#!/bin/false\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := start(); !errors.Is(err, cluster.ErrNoMaven) {
		t.Errorf("without mvn and jars: %v", err)
	}
	t.Setenv(cluster.LibsEnv, t.TempDir())
	if err := start(); !errors.Is(err, cluster.ErrNoLibs) {
		t.Errorf("with an empty %s: %v", cluster.LibsEnv, err)
	}
}
