package consumerset_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// A lane that hangs in user code holds nothing of the client: the client is closed,
// the group knows it, and what was settled before is committed.
func TestALaneThatHangsInUserCodeDoesNotForbidClose(t *testing.T) {
	t.Parallel()
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := setup(t, 2)
			release := make(chan struct{})
			r.journal.hold = func(m *processor.Message) {
				if m.Partition == 0 && m.Offset == 7 {
					<-release
				}
			}
			r.produce(2, 0, 20)
			cfg := r.config()
			change(&cfg)
			s := r.start(cfg)
			r.until("27 messages", func() bool { return r.journal.total == 27 })
			ctx, cancel := context.WithTimeout(t.Context(), 200*millisecond)
			defer cancel()
			if err := s.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("drain: %v", err)
			}
			ctx, cancel = context.WithTimeout(t.Context(), patience)
			defer cancel()
			res := s.Close(ctx)
			m := res.Members[0]
			if res.Outcome() != consumerset.Unfinished || len(m.Unfinished) != 1 || m.Unfinished[0].Position != 7 {
				t.Errorf("ended %v: %+v", res.Outcome(), m)
			}
			if at := r.committed(); at[0] != 7 || at[1] != 20 {
				t.Errorf("committed %v", at)
			}
			close(release)
			if err := <-s.err; err != nil {
				t.Errorf("run: %v", err)
			}
			r.until("lanes ended", func() bool { return r.journal.running[processor.Partition{Topic: "in"}] == 0 })
		})
	}
}

func TestAStopBeforeAnyAssignmentIsClean(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 1)
			r.feed = feed
			cfg := r.config()
			s := r.start(cfg)
			if res := s.stop(); res.Outcome() != consumerset.Clean {
				t.Errorf("ended %v", res)
			}
		})
	}
}

func TestAStopWithoutBrokersEndsInTime(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			if !inChild(t) {
				return
			}
			r := setup(t, 1)
			r.feed = feed
			r.produce(1, 0, 10)
			cfg := r.config()
			cfg.CommitInterval = time.Hour // what is settled stays uncommitted
			s := r.start(cfg)
			r.until("10 messages", func() bool { return r.journal.total == 10 })
			r.fake.Close()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := s.Drain(ctx); err == nil {
				t.Error("drained")
			}
			ctx, cancel = context.WithTimeout(t.Context(), 7500*millisecond)
			defer cancel()
			began := time.Now()
			res := s.Close(ctx)
			if took := time.Since(began); took > 8*time.Second {
				t.Errorf("close took %v", took)
			}
			if res.Outcome() < consumerset.Uncommitted {
				t.Errorf("ended %v: %+v", res.Outcome(), res)
			}
			if err := <-s.err; err != nil {
				t.Errorf("run: %v", err)
			}
		})
	}
}

func TestTheEndOfTheContextIsAClose(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 1)
			r.feed = feed
			s, err := consumerset.New(r.config())
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- s.Run(ctx) }()
			one(r, "steady", func(e event.MemberState) bool { return e.To == "steady" })
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
			one(r, "closed", func(e event.MemberState) bool { return e.To == "closed" })
		})
	}
}

func TestAPropertyThatTheClientDoesNotKnowFailsTheMember(t *testing.T) {
	t.Parallel()
	for _, feed := range feeds() {
		t.Run(string(feed), func(t *testing.T) {
			t.Parallel()
			r := setup(t, 1)
			r.feed = feed
			cfg := r.config()
			cfg.Properties = map[string]string{"fetch.wait.max.mss": "1"}
			failed := make(chan error, 1)
			cfg.Failed = func(err error) { failed <- err }
			s, err := consumerset.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			err = s.Run(t.Context())
			var setupErr *consumerset.ClientSetupError
			if !errors.As(err, &setupErr) {
				t.Errorf("run: %v", err)
			}
			if err := <-failed; !errors.As(err, &setupErr) {
				t.Errorf("failed: %v", err)
			}
			if err := s.Drain(t.Context()); !errors.As(err, &setupErr) {
				t.Errorf("drain: %v", err)
			}
			if res := s.Close(t.Context()); res.Outcome() != consumerset.Broken {
				t.Errorf("ended %v", res)
			}
		})
	}
}
