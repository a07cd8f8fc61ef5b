package cluster

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// LibsEnv is the environment variable that names a directory with Kafka's jars.
const LibsEnv = "PITLANE_KAFKA_LIBS"

// kafkaVersion is the version that pom.xml names; it is part of the cache's name
// for those who look into it.
const kafkaVersion = "4.4.0"

//go:embed pom.xml
var pom []byte

// cacheDir is where jars and port locks are, for all processes of the user.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find cache directory: %w", err)
	}
	return filepath.Join(dir, "pitlane"), nil
}

// libs returns the directory with the jars and fetches them if need be.
func libs(ctx context.Context, cache string) (string, error) {
	if dir := os.Getenv(LibsEnv); dir != "" {
		found, err := filepath.Glob(filepath.Join(dir, "kafka-server-*.jar"))
		if err != nil || len(found) == 0 {
			return "", fmt.Errorf("%w: %s", ErrNoLibs, dir)
		}
		return dir, nil
	}
	sum := sha256.Sum256(pom)
	home := filepath.Join(cache, "kafka-"+kafkaVersion+"-"+hex.EncodeToString(sum[:6]))
	dir := filepath.Join(home, "libs")
	if isDir(dir) {
		return dir, nil
	}
	l, err := lock(ctx, home+".lock")
	if err != nil {
		return "", err
	}
	err = fetchOnce(ctx, home, dir)
	return dir, errors.Join(err, l.unlock())
}

// fetchOnce runs under the lock: another process may have fetched meanwhile.
func fetchOnce(ctx context.Context, home, dir string) error {
	if isDir(dir) {
		return nil
	}
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return ErrNoMaven
	}
	if err := os.MkdirAll(home, 0o750); err != nil {
		return fmt.Errorf("create cache of jars: %w", err)
	}
	tmp, err := os.MkdirTemp(home, "fetch-")
	if err != nil {
		return fmt.Errorf("create cache of jars: %w", err)
	}
	err = fetch(ctx, mvn, tmp)
	if err == nil {
		// The rename makes the directory appear whole or not at all.
		err = os.Rename(filepath.Join(tmp, "libs"), dir)
	}
	return errors.Join(err, os.RemoveAll(tmp))
}

func fetch(ctx context.Context, mvn, tmp string) error {
	file := filepath.Join(tmp, "pom.xml")
	if err := os.WriteFile(file, pom, 0o600); err != nil {
		return fmt.Errorf("write pom: %w", err)
	}
	cmd := exec.CommandContext(ctx, mvn, "-q", "-B", "-f", file,
		"dependency:copy-dependencies", "-DoutputDirectory="+filepath.Join(tmp, "libs"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return toolFailed(ctx, "fetch the jars of Kafka with mvn", err, out)
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
