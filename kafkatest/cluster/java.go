package cluster

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed log4j2.properties
var log4j []byte

// tailBytes is how much of a log an error carries.
const tailBytes = 3 << 10

// jvm knows how to call Kafka's programs.
type jvm struct {
	java      string
	classPath string
}

// findJava comes before the jars are fetched: without it they are of no use.
func findJava() (string, error) {
	java, err := exec.LookPath("java")
	if err != nil {
		return "", ErrNoJava
	}
	return java, nil
}

// newJVM needs the directory of the jars and one for the logging file.
func newJVM(java, libs, dir string) (*jvm, error) {
	if err := os.WriteFile(filepath.Join(dir, "log4j2.properties"), log4j, 0o600); err != nil {
		return nil, fmt.Errorf("write logging file: %w", err)
	}
	return &jvm{java: java, classPath: filepath.Join(libs, "*") + string(os.PathListSeparator) + dir}, nil
}

// args are those of the java command. The performance data file is off, because
// it stays behind in the temporary directory after a kill.
func (j *jvm) args(heap int64, main string, args ...string) []string {
	return append([]string{
		"-cp", j.classPath,
		"-Xms64m", fmt.Sprintf("-Xmx%dm", heap>>20),
		"-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto", "-Djava.awt.headless=true",
		main,
	}, args...)
}

// tool runs one of Kafka's programs to its end.
func (j *jvm) tool(ctx context.Context, main string, args ...string) error {
	args = append([]string{"-XX:TieredStopAtLevel=1"}, j.args(HeapMin, main, args...)...)
	out, err := exec.CommandContext(ctx, j.java, args...).CombinedOutput()
	if err != nil {
		return toolFailed(ctx, "run "+main, err, out)
	}
	return nil
}

// toolFailed says why a program was killed, when it was, and what it had to say.
func toolFailed(ctx context.Context, what string, err error, out []byte) error {
	if ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	return fmt.Errorf("%s: %w\n%s", what, err, tail(out))
}

// tail is the end of a program's output, whole lines.
func tail(out []byte) string {
	out = bytes.TrimSpace(out)
	if len(out) <= tailBytes {
		return string(out)
	}
	out = out[len(out)-tailBytes:]
	if i := bytes.IndexByte(out, '\n'); i >= 0 {
		out = out[i+1:]
	}
	return string(out)
}
