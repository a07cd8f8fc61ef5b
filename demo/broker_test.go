package demo

import (
	"bufio"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kgo"
)

func TestBrokerMistakesAreAllNamedAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		s    brokerSettings
		want []string
	}{
		"no port":        {brokerSettings{listen: "localhost"}, []string{"--listen localhost: write 127.0.0.1:PORT"}},
		"a bad port":     {brokerSettings{listen: ":70000"}, []string{`"70000" is not a port`}},
		"another host":   {brokerSettings{listen: "0.0.0.0:9092"}, []string{"127.0.0.1 only"}},
		"no number":      {brokerSettings{listen: ":0", topics: []string{"a:x"}}, []string{`--topic a:x: "x" is not a number`}},
		"no partitions":  {brokerSettings{listen: ":0", topics: []string{"a:0"}}, []string{`--topic a:0: "0" is not`}},
		"no name":        {brokerSettings{listen: ":0", topics: []string{":3"}}, []string{"write NAME:PARTITIONS"}},
		"a bad name":     {brokerSettings{listen: ":0", topics: []string{"b c:3", "..:1"}}, []string{`"b c" is not a topic name`, `".." is not a topic name`}},
		"named twice":    {brokerSettings{listen: ":0", topics: []string{"a:3", "a"}}, []string{"a is named twice"}},
		"a rate of 0":    {brokerSettings{listen: ":0", earthquakes: true}, []string{"--rate 0"}},
		"three mistakes": {brokerSettings{listen: "x", topics: []string{"a:x", "b:0"}}, []string{"--listen x", "--topic a:x", "--topic b:0"}},
	} {
		err := runBroker(t.Context(), c.s, "runner", io.Discard)
		if _, ok := errors.AsType[*SettingsError](err); !ok {
			t.Errorf("%s: error %v, want a SettingsError", name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
	}
}

func TestBrokerSaysThatItsPortIsTaken(t *testing.T) {
	var config net.ListenConfig
	taken, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	err = runBroker(t.Context(), brokerSettings{listen: taken.Addr().String()}, "runner", io.Discard)
	if err == nil || !strings.Contains(err.Error(), "the port is taken") {
		t.Errorf("error %v", err)
	}
}

func TestBrokerTopics(t *testing.T) {
	got, err := parseTopics([]string{"a:3", "b"})
	if want := map[string]int{"a": 3, "b": 1}; err != nil || !maps.Equal(got, want) {
		t.Errorf("topics %v, error %v; want %v", got, err, want)
	}
}

func TestBrokerPrintsWhereItIsServesAndStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	root := &cobra.Command{Use: "runner", SilenceUsage: true}
	root.AddCommand(BrokerCommand())
	root.SetArgs([]string{"broker", "--listen", "127.0.0.1:0", "--topic", "uploads:4", "--earthquakes", "--rate", "500"})
	root.SetOut(w)
	done := make(chan error, 1)
	go func() {
		err := root.ExecuteContext(ctx)
		_ = w.Close()
		done <- err
	}()
	var addr, line string
	lines := bufio.NewScanner(r)
	for line == "" && lines.Scan() {
		if _, rest, ok := strings.Cut(lines.Text(), "development at "); ok {
			addr, _, _ = strings.Cut(rest, " ")
		}
		if strings.HasPrefix(strings.TrimSpace(lines.Text()), "runner run") {
			line = strings.TrimSpace(lines.Text())
		}
	}
	if want := "runner run --brokers " + addr + " --group my-group --topics earthquakes --processor '{log: {}}'"; line != want {
		t.Errorf("line %q, want %q", line, want)
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	if n := consumed(t, addr, 20); n < 20 {
		t.Errorf("%d earthquakes came", n)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("the command ended with %v", err)
	}
}

// consumed counts earthquakes until there are n.
func consumed(t *testing.T, addr string, n int) (got int) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.ConsumeTopics(inputTopic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for got < n && ctx.Err() == nil {
		got += len(client.PollFetches(ctx).Records())
	}
	return got
}
