package cli_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/pitlane-go/pitlane/admin"
	"github.com/pitlane-go/pitlane/cli"
)

// cluster is an inspector with fixed answers.
type cluster struct {
	down      error
	topics    map[string]int
	groupErr  error
	headless  string
	wasClosed bool
}

func (c *cluster) Ping(context.Context) (admin.Cluster, error) {
	return admin.Cluster{ID: "abc", Brokers: []admin.Broker{{ID: 1, Host: "kafka-1", Port: 9092}}}, c.down
}

func (c *cluster) Metadata(_ context.Context, topics ...string) ([]admin.Topic, error) {
	n, found := c.topics[topics[0]]
	if !found {
		return nil, fmt.Errorf("describe topic %s: %w", topics[0], admin.ErrUnknownTopic)
	}
	t := admin.Topic{Name: topics[0]}
	for i := range n {
		p := admin.Partition{Partition: int32(i), Leader: 1}
		if c.headless == t.Name {
			p.Leader = -1
		}
		t.Partitions = append(t.Partitions, p)
	}
	return []admin.Topic{t}, nil
}

func (c *cluster) Topics(_ context.Context, pattern string) ([]string, error) {
	var out []string
	for name := range c.topics {
		if regexp.MustCompile(pattern).MatchString(name) {
			out = append(out, name)
		}
	}
	return out, nil
}

func (c *cluster) MayReadGroup(context.Context, string) error { return c.groupErr }
func (c *cluster) Close() error                               { c.wasClosed = true; return nil }

func TestCheckSaysWhatIsWrongAndWhatToDo(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, tc := range []struct {
		name    string
		cluster cluster
		code    int
	}{
		{"all is well", cluster{topics: map[string]int{"uploads": 6, "orders-eu": 1}}, 0},
		{"topics are missing", cluster{topics: map[string]int{}}, 1},
		{"no leader", cluster{topics: map[string]int{"uploads": 2, "orders-eu": 1}, headless: "uploads"}, 1},
		{"no right", cluster{topics: map[string]int{"uploads": 6, "orders-eu": 1}, groupErr: fmt.Errorf("describe group: %w", admin.ErrNotAuthorized)}, 1},
		{"no brokers", cluster{down: errors.New("reach brokers: timed out\nconnection refused")}, 1},
	} {
		got := run(t, command("check", minimal("--topics", "^orders-")...), cli.WithInspector(&tc.cluster))
		if got.code != tc.code || got.stderr != "" || !tc.cluster.wasClosed {
			t.Errorf("%s: exit code %d, closed %v, %s", tc.name, got.code, tc.cluster.wasClosed, got.stderr)
		}
		out.WriteString("# " + tc.name + "\n" + got.stdout + "\n")
	}
	golden(t, "check.golden", out.String())
}
