package main_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pitlane-go/pitlane/kafkatest/embedded"
	"github.com/pitlane-go/pitlane/processor"
)

// program is the built binary.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "runner")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "runner")
	if out, err := exec.CommandContext(context.Background(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// command starts nothing yet; its environment is empty but for PATH.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	return cmd
}

func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := command(t, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), out.String(), errs.String()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0, out.String(), errs.String()
}

func TestVersion(t *testing.T) {
	t.Parallel()
	code, out, _ := run(t, "version")
	for _, want := range []string{"pitlane ", "go1.", "librdkafka ", "confluent-kafka-go  v2."} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit code %d, %q is not in %s", code, want, out)
		}
	}
}

// A user's mistake leaves with 2, names its place, and shows no stack.
func TestMistakesLeaveWithTwo(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		file string
		args []string
		want []string
	}{
		"unknown key":      {file: "pasue: {initial: 1s}\n", want: []string{"pitlane.yaml:4:1: pasue: is not a key; did you mean pause?"}},
		"wrong unit":       {file: "pause: {initial: 250}\n", want: []string{`pitlane.yaml:4:18: pause.initial: "250" has no unit; write 250ms`}},
		"refused property": {file: "consumer: {enable.auto.offset.store: true}\n", want: []string{"pitlane.yaml:4:12: consumer.enable.auto.offset.store: cannot be \"true\""}},
		"out of range":     {file: "members: 1000\n", want: []string{"pitlane.yaml:4:10: members: 1000 is out of range; it wants 1 to 64"}},
		"two at once": {
			file: "members: 0\n", args: []string{"--pause.jitter", "2"},
			want: []string{"2 problems", "pitlane.yaml:4:10: members: 0", "flag --pause.jitter: pause.jitter: 2 is out of range; it wants 0 to 1"},
		},
		"unknown processor": {file: "processor: {forwrd: {topic: a}}\n", want: []string{"did you mean forward?"}},
		"forward without a topic": {
			file: "processor: forward\n",
			want: []string{"processor.forward: topic is not set: name the topic to forward to"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "pitlane.yaml")
			text := "brokers: [127.0.0.1:1]\ngroup: g\ntopics: [a]\n" + tc.file
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			code, _, stderr := run(t, append([]string{"run", "--config", path}, tc.args...)...)
			if code != 2 || strings.Contains(stderr, "goroutine") {
				t.Errorf("exit code %d, %s", code, stderr)
			}
			for _, want := range tc.want {
				if !strings.Contains(stderr, want) {
					t.Errorf("%q is not in %s", want, stderr)
				}
			}
		})
	}
	t.Run("no topics", func(t *testing.T) {
		t.Parallel()
		code, _, stderr := run(t, "run", "--brokers", "127.0.0.1:1", "--group", "g", "--processor", "log")
		if code != 2 || !strings.Contains(stderr, "topics: is not set; set it in the file, with --topics or with PITLANE_TOPICS") {
			t.Errorf("exit code %d, %s", code, stderr)
		}
	})
}

func TestBrokersThatAreNotThereLeaveWithOne(t *testing.T) {
	t.Parallel()
	code, _, stderr := run(t, "run", "--brokers", "127.0.0.1:1", "--group", "g", "--topics", "a", "--processor", "log", "--start_timeout", "1s")
	if code != 1 || !strings.Contains(stderr, `"exit_code":1`) || !strings.Contains(stderr, "unhealthy") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

func TestCheckAsksRealBrokers(t *testing.T) {
	t.Parallel()
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"uploads": 3}})
	code, out, stderr := run(t, "check", "--brokers", b.Bootstrap(), "--group", "g", "--topics", "uploads,^up", "--processor", "log")
	if code != 0 || strings.Count(out, "ok ") != 4 {
		t.Errorf("exit code %d, %s%s", code, out, stderr)
	}
	code, out, _ = run(t, "check", "--brokers", b.Bootstrap(), "--group", "g", "--topics", "absent", "--processor", "log")
	if code != 1 || !strings.Contains(out, "fail  topic absent: ") {
		t.Errorf("exit code %d, %s", code, out)
	}
}

// The stock program copies a topic with all that its messages have, stops at
// SIGTERM with 0, and has committed what it copied.
func TestForwardCopiesUntilASignal(t *testing.T) {
	t.Parallel()
	const total = 500
	b := embedded.Start(t, embedded.Config{Topics: map[string]int{"uploads": 3, "copies": 3}})
	in := make([]*embedded.Record, total)
	for i := range in {
		in[i] = &embedded.Record{
			Partition: int32(i % 3), Key: fmt.Appendf(nil, "k%d", i), Value: fmt.Appendf(nil, "v%d", i),
			Headers:   []processor.Header{{Key: "a", Value: []byte("1")}, {Key: "b"}, {Key: "a", Value: []byte{}}},
			Timestamp: time.UnixMilli(1_700_000_000_000 + int64(i)),
		}
	}
	in[7].Value, in[8].Value, in[9].Key = nil, []byte{}, nil
	if err := b.Produce(t.Context(), "uploads", in...); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, "run", "--brokers", b.Bootstrap(), "--group", "copies", "--topics", "uploads",
		"--processor", "{forward: {topic: copies, keep_partition: true}}", "--commit.interval", "100ms")
	stop := startRun(t, cmd)
	await(t, func() bool { return committed(b) == total })
	if code, log := stop(syscall.SIGTERM); code != 0 {
		t.Fatalf("exit code %d\n%s", code, log)
	}
	compare(t, b, in)
}

// startRun starts the program and gives the function that stops it.
func startRun(t *testing.T, cmd *exec.Cmd) func(os.Signal) (int, string) {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	read := make(chan struct{})
	go func() {
		defer close(read)
		for s := bufio.NewScanner(stderr); s.Scan(); {
			log.WriteString(s.Text() + "\n")
		}
	}()
	return func(s os.Signal) (int, string) {
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		<-read
		_ = cmd.Wait()
		return cmd.ProcessState.ExitCode(), log.String()
	}
}

func committed(b *embedded.Broker) int64 {
	var sum int64
	for _, offset := range b.CommittedOffsets("copies", "uploads") {
		sum += offset
	}
	return sum
}

// await asks until it is so, or the test's time is over.
func await(t *testing.T, so func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatal("it did not happen within a minute")
		}
	}
}

func compare(t *testing.T, b *embedded.Broker, in []*embedded.Record) {
	t.Helper()
	out, err := b.ReadAll(t.Context(), "copies")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, r := range in {
		want[fmt.Sprint(r.Partition, "/", r.Offset)] = describe(*r)
	}
	for _, r := range out {
		if id := fmt.Sprint(r.Partition, "/", r.Offset); describe(r) != want[id] {
			t.Errorf("%s is %s, not %s", id, describe(r), want[id])
		}
	}
	if len(out) != len(in) {
		t.Errorf("%d copies of %d", len(out), len(in))
	}
}

// describe keeps nil and empty apart.
func describe(r embedded.Record) string {
	return fmt.Sprintf("%#v %#v %#v %d", r.Key, r.Value, r.Headers, r.Timestamp.UnixMilli())
}

func TestASignalWhileTheBrokersAreAway(t *testing.T) {
	t.Parallel()
	cmd := command(t, "run", "--brokers", "127.0.0.1:1", "--group", "g", "--topics", "a", "--processor", "log")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// The program has its signals before it logs its first line.
	lines := bufio.NewScanner(stderr)
	if !lines.Scan() {
		t.Fatal("no line")
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	log := lines.Text()
	for lines.Scan() {
		log += "\n" + lines.Text()
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d\n%s", code, log)
	}
	if !strings.Contains(log, `"to":"stopped"`) {
		t.Errorf("it did not stop in order\n%s", log)
	}
}
