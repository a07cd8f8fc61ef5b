package kafkatest_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
)

func events(h *kafkatest.History) []kafkatest.Event {
	var out []kafkatest.Event
	h.Events(func(e kafkatest.Event) bool {
		out = append(out, e)
		return true
	})
	return out
}

func sameEvent(a, b kafkatest.Event) bool {
	a.At, b.At = time.Unix(0, a.At.UnixNano()), time.Unix(0, b.At.UnixNano())
	return a == b
}

func TestJournalKeepsEveryField(t *testing.T) {
	h := kafkatest.NewHistory()
	at := kafkatest.Position{Topic: "in", Partition: 3, Offset: 0}
	run := kafkatest.Run{Member: "a", Epoch: 2, Input: at, ID: 9, Key: "k\"\\\n\x01é", Attempt: 4, Unit: 5}
	out := kafkatest.Output{ID: 9, Input: at, At: kafkatest.Position{Topic: "out", Partition: 1, Offset: 8}, Member: "a", Epoch: 2, Generation: 3}
	h.Produced(9, at, "k")
	h.Assigned("a", 2, "in", 3)
	h.Start(run)
	h.End(run, kafkatest.OutcomeFailed)
	h.Failed(kafkatest.Failure{Member: "a", Input: at, Reason: "why"})
	h.Failed(kafkatest.Failure{Member: "a", Reason: "all"})
	h.Acked(out)
	h.Output(out)
	h.Committed(kafkatest.Commit{Group: "g", Position: at, LogPosition: 6, Time: time.UnixMilli(1234)})
	h.Revoked("a", 2, "in", 3)
	h.Lost("a", 2, "in", 3)
	h.Skipped("a", at, "max attempts")
	h.Killed("a")

	var b bytes.Buffer
	if err := kafkatest.WriteJournal(&b, h); err != nil {
		t.Fatal(err)
	}
	back, err := kafkatest.ReadHistory(&b)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(events(h), events(back), func(x, y kafkatest.Event) bool {
		return sameEvent(x, y) || x.At.IsZero() && y.At.IsZero()
	}) {
		t.Fatalf("wrote %v\nread  %v", events(h), events(back))
	}
}

func TestReadHistoryIgnoresATornLastLine(t *testing.T) {
	h, err := kafkatest.ReadHistory(strings.NewReader("{\"seq\":1,\"at\":5,\"kind\":\"killed\",\"member\":\"a\"}\n{\"seq\":2,\"at"))
	if err != nil || h.Len() != 1 {
		t.Fatalf("%d events, %v", h.Len(), err)
	}
}

func TestReadHistoryRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, line := range []string{"nonsense", `{"kind":"eaten"}`, `{"kind":"end","outcome":"great"}`} {
		_, err := kafkatest.ReadHistory(strings.NewReader(line + "\n"))
		var bad *kafkatest.JournalError
		if !errors.As(err, &bad) || bad.Line != 1 {
			t.Errorf("%s: %v", line, err)
		}
		if strings.Contains(line, "kind") && !errors.Is(err, kafkatest.ErrUnknownName) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestReadFilesMergesByTimeAndKeepsEachOrder(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, times ...int64) string {
		h := kafkatest.NewHistory()
		for _, at := range times {
			h.Add(kafkatest.Event{Kind: kafkatest.KindKilled, Member: name, At: time.Unix(0, at)})
		}
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(kafkatest.WriteJournal(f, h), f.Close()); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// The clock of a stepped back once: its order stays.
	h, err := kafkatest.ReadFiles(write("a", 10, 30, 20, 40), write("b", 15, 35))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, e := range events(h) {
		if e.Seq != uint64(i)+1 {
			t.Fatalf("sequence %d at %d", e.Seq, i)
		}
		got = append(got, e.Member+e.At.UTC().Format(".000000000")[8:])
	}
	if want := []string{"a10", "b15", "a30", "a20", "b35", "a40"}; !slices.Equal(got, want) {
		t.Fatalf("order %q, want %q", got, want)
	}
}

type fullDisk struct{ writes int }

var errFull = errors.New("disk is full")

func (d *fullDisk) Write([]byte) (int, error) {
	d.writes++
	return 0, errFull
}

func TestJournalKeepsItsFirstWriteError(t *testing.T) {
	var d fullDisk
	j := kafkatest.NewJournal(&d)
	j.Killed("a")
	j.Killed("b")
	if err := j.Err(); !errors.Is(err, errFull) || d.writes != 1 {
		t.Fatalf("got %v after %d writes", err, d.writes)
	}
}
