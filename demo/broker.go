package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pitlane-go/pitlane/kafkatest/embedded"
)

const brokerLong = `Run an embedded Kafka broker for development, until a signal.

It speaks Kafka's protocol well enough for every client, keeps all data in memory
and forgets it when it ends. Topics are created with --topic NAME:PARTITIONS, and
by clients that ask for one that does not exist.

With --earthquakes it streams a week of earthquakes, in a loop, into the topic
"earthquakes", so that there is something to consume.`

// brokerSettings are the flags of the broker command.
type brokerSettings struct {
	listen      string
	topics      []string
	earthquakes bool
	rate        int
}

// BrokerCommand returns the broker command. Its context must end at the first
// signal.
func BrokerCommand() *cobra.Command {
	var s brokerSettings
	cmd := &cobra.Command{
		Use:     "broker",
		Short:   "Run an embedded Kafka broker for development",
		Long:    brokerLong,
		Example: "  runner broker --topic uploads:6 --topic thumbnails:6",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runBroker(cmd.Context(), s, cmd.Root().Name(), cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.listen, "listen", "127.0.0.1:9092", "address: 127.0.0.1 and a port; port 0 takes a free one")
	flags.StringArrayVar(&s.topics, "topic", nil, "topic to create, as NAME:PARTITIONS (or NAME, with 1 partition); may be repeated")
	flags.BoolVar(&s.earthquakes, "earthquakes", false, "stream earthquakes into the topic earthquakes")
	flags.IntVar(&s.rate, "rate", 10, "earthquakes per second")
	return cmd
}

// runBroker runs until ctx ends.
func runBroker(ctx context.Context, s brokerSettings, program string, out io.Writer) error {
	cfg, err := s.config()
	if err != nil {
		return &SettingsError{err}
	}
	broker, err := embedded.Run(context.WithoutCancel(ctx), cfg)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("--listen %s: the port is taken: stop what listens there, or choose another one (port 0 takes a free one): %w", s.listen, err)
	}
	if err != nil {
		return err
	}
	defer broker.Close()
	if _, err := io.WriteString(out, welcome(broker.Bootstrap(), cfg.Topics, program)); err != nil {
		return err
	}
	if s.earthquakes {
		stream, err := newStream(broker.Bootstrap(), s.rate, nil)
		if err != nil {
			return err
		}
		return stream.run(ctx)
	}
	<-ctx.Done()
	return nil
}

func (s brokerSettings) config() (embedded.Config, error) {
	topics, topicErr := parseTopics(s.topics)
	port, listenErr := parseListen(s.listen)
	var rateErr error
	if s.earthquakes {
		if _, named := topics[inputTopic]; !named && topicErr == nil {
			topics[inputTopic] = 6
		}
		if s.rate < 1 || s.rate > 5000 {
			rateErr = fmt.Errorf("--rate %d: is not in 1 to 5000", s.rate)
		}
	}
	cfg := embedded.Config{Port: port, Topics: topics, AutoCreate: true}
	return cfg, errors.Join(listenErr, topicErr, rateErr)
}

// parseListen returns the port. The embedded broker listens on 127.0.0.1 only.
func parseListen(listen string) (int, error) {
	host, text, err := net.SplitHostPort(listen)
	if err != nil {
		return 0, fmt.Errorf("--listen %s: write 127.0.0.1:PORT", listen)
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("--listen %s: %q is not a port from 0 to 65535", listen, text)
	}
	if host != "127.0.0.1" && host != "localhost" && host != "" {
		return 0, fmt.Errorf("--listen %s: the embedded broker listens on 127.0.0.1 only", listen)
	}
	return int(port), nil
}

func parseTopics(args []string) (map[string]int, error) {
	topics := map[string]int{}
	var errs []error
	for _, arg := range args {
		name, count, counted := strings.Cut(arg, ":")
		n := 1
		if counted {
			var err error
			if n, err = strconv.Atoi(count); err != nil || n < 1 || n > 1000 {
				errs = append(errs, fmt.Errorf("--topic %s: %q is not a number of partitions from 1 to 1000", arg, count))
			}
		}
		switch {
		case name == "":
			errs = append(errs, fmt.Errorf("--topic %s: write NAME:PARTITIONS", arg))
		case !topicName(name):
			errs = append(errs, fmt.Errorf("--topic %s: %q is not a topic name: up to 249 letters, digits, dots, underscores and dashes", arg, name))
		}
		if _, twice := topics[name]; twice {
			errs = append(errs, fmt.Errorf("--topic %s: %s is named twice", arg, name))
		}
		topics[name] = n
	}
	return topics, errors.Join(errs...)
}

// topicName tells whether real brokers would take the name.
func topicName(name string) bool {
	legal := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r)
	}
	return len(name) <= 249 && name != "." && name != ".." && strings.IndexFunc(name, func(r rune) bool { return !legal(r) }) < 0
}

// welcome says where the broker is and what to do next.
func welcome(addr string, topics map[string]int, program string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Kafka broker for development at %s (in memory; stop it with Ctrl-C)\n", addr)
	names := slices.Sorted(maps.Keys(topics))
	for _, name := range names {
		fmt.Fprintf(&b, "  topic %s, partitions: %d\n", name, topics[name])
	}
	topic := "TOPIC"
	if len(names) > 0 {
		topic = names[0]
	}
	fmt.Fprintf(&b, "\nconsume from it:\n\n  %s run --brokers %s --group my-group --topics %s --processor '{log: {}}'\n\n",
		program, addr, topic)
	return b.String()
}
