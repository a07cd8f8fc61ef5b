package admin_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/admin"
)

func TestPingTellsWhatTheClusterIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cluster, err := b.client.Ping(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if cluster.ID != "pit" || len(cluster.Brokers) != 2 || cluster.Controller < 0 || cluster.Brokers[0].Port == 0 || cluster.Brokers[0].Host == "" {
		t.Errorf("cluster %+v", cluster)
	}
}

func TestPingSaysInTheClientsWordsWhyItCannotConnect(t *testing.T) {
	t.Parallel()
	client := open(t, "127.0.0.1:1") // nothing listens there
	_, err := client.Ping(within(t, time.Second))
	if err == nil || !strings.Contains(err.Error(), "Connection refused") || !strings.HasPrefix(err.Error(), "connect to the brokers: ") {
		t.Fatalf("error %v", err)
	}
	if e, ok := errors.AsType[*admin.Error](err); !ok || e.Connection == nil {
		t.Errorf("error %+v", e)
	}
	if k, ok := errors.AsType[kafka.Error](err); !ok || k.Code() != kafka.ErrTimedOut {
		t.Errorf("the client's error is not reached: %v", k)
	}
}

// silent is a listener that accepts and never answers.
func silent(t *testing.T) string {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var accepted sync.WaitGroup
	accepted.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = c.Close() })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		accepted.Wait()
	})
	return listener.Addr().String()
}

func TestEveryCallReturnsInTime(t *testing.T) {
	t.Parallel()
	client := open(t, silent(t))
	for name, call := range map[string]func(context.Context) error{
		"ping":      func(ctx context.Context) error { _, err := client.Ping(ctx); return err },
		"metadata":  func(ctx context.Context) error { _, err := client.Metadata(ctx, "orders"); return err },
		"topics":    func(ctx context.Context) error { _, err := client.Topics(ctx, "^o"); return err },
		"committed": func(ctx context.Context) error { _, err := client.Committed(ctx, "g", orders(0)); return err },
		"end": func(ctx context.Context) error {
			_, err := client.EndOffsets(ctx, orders(0), admin.ReadCommitted)
			return err
		},
		"group": func(ctx context.Context) error { return client.MayReadGroup(ctx, "g") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
			defer cancel()
			started := time.Now()
			err := call(ctx)
			if took := time.Since(started); err == nil || took > 2*time.Second {
				t.Errorf("%v after %v", err, took)
			}
			// Cancelled rather than timed out: the client knows nothing of it.
			cause := errors.New("never mind")
			cancelled, stop := context.WithCancelCause(t.Context())
			time.AfterFunc(100*time.Millisecond, func() { stop(cause) })
			started = time.Now()
			err = call(cancelled)
			if took := time.Since(started); !errors.Is(err, cause) || took > 2*time.Second {
				t.Errorf("%v after %v", err, took)
			}
		})
	}
}

func TestCallsAfterCloseAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 2 {
		if err := b.client.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := b.client.Ping(t.Context()); !errors.Is(err, admin.ErrClosed) {
		t.Errorf("error %v", err)
	}
}

func TestAGroupMayBeReadOrNot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if err := b.client.MayReadGroup(t.Context(), "nobody has joined it"); err != nil {
		t.Errorf("a new group: %v", err)
	}
	b.broker.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.DescribeGroups, kmsg.ConsumerGroupDescribe}, Group: "g", Err: kerr.GroupAuthorizationFailed, Count: -1})
	if err := b.client.MayReadGroup(t.Context(), "g"); !errors.Is(err, admin.ErrNotAuthorized) {
		t.Errorf("a forbidden group: %v", err)
	}
}

// Describing a group needs DESCRIBE only; joining it needs READ.
func TestAGroupThatMayOnlyBeDescribedMayNotBeRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rights := func(operations int32) {
		b.broker.ControlKey(int16(kmsg.DescribeGroups), func(request kmsg.Request) (kmsg.Response, error, bool) {
			response, _ := request.ResponseKind().(*kmsg.DescribeGroupsResponse)
			group := kmsg.NewDescribeGroupsResponseGroup()
			group.Group, group.State, group.AuthorizedOperations = "g", "Empty", operations
			response.Groups = append(response.Groups, group)
			return response, nil, true
		})
	}
	const describe, read = 1 << 8, 1 << 3
	rights(describe)
	if err := b.client.MayReadGroup(t.Context(), "g"); !errors.Is(err, admin.ErrNotAuthorized) {
		t.Errorf("DESCRIBE only: %v", err)
	}
	rights(describe | read)
	if err := b.client.MayReadGroup(t.Context(), "g"); err != nil {
		t.Errorf("DESCRIBE and READ: %v", err)
	}
}

func TestNewNamesEveryProblemOfTheConfiguration(t *testing.T) {
	t.Parallel()
	_, err := admin.New(admin.Config{Timeout: -1, Properties: map[string]string{"go.events.channel.size": "1"}})
	for _, word := range []string{"timeout", "bootstrap.servers", "go.events.channel.size"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not named in: %v", word, err)
		}
	}
}
