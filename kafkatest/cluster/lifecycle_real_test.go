package cluster_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest/cluster"
)

func TestThreeBrokersMoveLeadersAndSurviveTheLossOfOne(t *testing.T) {
	ctx, c := setup(t, cluster.Config{Brokers: 3, ExtraListeners: 1})
	must(t, c.CreateTopic(ctx, cluster.TopicSpec{Name: "moved", Partitions: 2}))

	before, err := c.Leader(ctx, "moved", 1)
	must(t, err)
	to := before%3 + 1
	began := time.Now()
	must(t, c.MoveLeader(ctx, "moved", 1, to))
	if after, err := c.Leader(ctx, "moved", 1); err != nil || after != to {
		t.Errorf("leader %d, error %v, want %d", after, err, to)
	}
	t.Logf("leader moved in %v", time.Since(began))

	before, err = c.Coordinator(ctx, "group")
	must(t, err)
	to = before%3 + 1
	began = time.Now()
	must(t, c.MoveCoordinator(ctx, "group", to))
	if after, err := c.Coordinator(ctx, "group"); err != nil || after != to {
		t.Errorf("coordinator %d, error %v, want %d", after, err, to)
	}
	t.Logf("coordinator moved in %v", time.Since(began))

	// Stop moves the leaderships away, so nothing has to wait for a session's end.
	must(t, c.Stop(ctx, to))
	if err := c.Stop(ctx, to); !errors.Is(err, cluster.ErrNotRunning) {
		t.Errorf("stopping a stopped broker: %v", err)
	}
	must(t, c.Produce(ctx, "moved", []cluster.Record{{Partition: 1, Value: []byte("on two brokers")}}))
	began = time.Now()
	must(t, c.Restart(ctx, to))
	t.Logf("restarted in %v", time.Since(began))
	if err := c.Restart(ctx, to); !errors.Is(err, cluster.ErrRunning) {
		t.Errorf("restarting a running broker: %v", err)
	}
	got, err := c.ReadAll(ctx, "moved")
	must(t, err)
	if len(got) != 1 {
		t.Errorf("read %d records, want 1", len(got))
	}
}

func TestFrozenBrokersAnswerNothingUntilTheyThaw(t *testing.T) {
	ctx, c := setup(t, cluster.Config{Brokers: 1, Properties: map[string]string{
		// A killed broker is let in again when its session has ended.
		"broker.session.timeout.ms": "3000", "broker.heartbeat.interval.ms": "500",
	}})
	must(t, c.CreateTopic(ctx, cluster.TopicSpec{Name: "kept"}))
	must(t, c.Produce(ctx, "kept", []cluster.Record{{Value: []byte("v")}}))
	must(t, c.FreezeAll())
	must(t, c.Freeze(1)) // frozen already
	short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	if _, err := c.EndOffsets(short, "kept"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("asking a frozen broker: %v", err)
	}
	must(t, c.ThawAll())
	if _, err := c.EndOffsets(ctx, "kept"); err != nil {
		t.Errorf("asking a thawed broker: %v", err)
	}
	must(t, c.Freeze(1))
	must(t, c.Kill(ctx, 1))
	if err := c.Thaw(1); !errors.Is(err, cluster.ErrNotRunning) {
		t.Errorf("thawing a killed broker: %v", err)
	}
	must(t, c.Restart(ctx, 1))
	got, err := c.ReadAll(ctx, "kept")
	must(t, err)
	if len(got) != 1 {
		t.Errorf("read %d records after the restart, want 1", len(got))
	}
}

func TestBrokersDoNotOutliveAProcessThatIsKilled(t *testing.T) {
	for _, broker := range []string{"running", "frozen"} {
		t.Run("a "+broker+" broker", func(t *testing.T) { brokerEndsWithItsProcess(t, broker) })
	}
}

func brokerEndsWithItsProcess(t *testing.T, broker string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), crashEnv+"="+broker)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	dir := strings.TrimSpace(line)
	text, err := os.ReadFile(filepath.Join(dir, "1", "pid"))
	must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(t, err)
	must(t, syscall.Kill(pid, 0)) // the broker is there

	must(t, cmd.Process.Kill())
	_ = cmd.Wait() // says that it was killed

	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for began := time.Now(); ; <-tick.C {
		killErr := syscall.Kill(pid, 0)
		_, statErr := os.Stat(dir)
		if errors.Is(killErr, syscall.ESRCH) && errors.Is(statErr, os.ErrNotExist) {
			t.Logf("broker and data gone in %v", time.Since(began))
			return
		}
		if time.Since(began) > 20*time.Second {
			t.Fatalf("20 s after the kill: broker %v, directory %v", killErr, statErr)
		}
	}
}

func TestAFailedStartReportsTheLogAndLeavesNothing(t *testing.T) {
	temp := t.TempDir() // of its own: other packages run clusters too
	t.Setenv("TMPDIR", temp)
	_, err := cluster.Run(t.Context(), cluster.Config{Properties: map[string]string{"num.io.threads": "many"}})
	if err == nil || !strings.Contains(err.Error(), "num.io.threads") {
		t.Errorf("error %v does not name the property", err)
	}
	_, err = cluster.Run(t.Context(), cluster.Config{StartTimeout: 700 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "start timeout") {
		t.Errorf("error %v does not name the timeout", err)
	}
	left, err := os.ReadDir(temp)
	must(t, err)
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
