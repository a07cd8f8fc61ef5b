package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// options are the flags.
type options struct {
	brokers, partitions, rounds int
	messages, forwarded         int
	only                        string
	profiles                    string
}

func main() {
	if task := os.Getenv(envTask); task != "" {
		if err := runLoop(task, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	var o options
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.IntVar(&o.brokers, "brokers", 1, "brokers of the cluster: 1 or 3")
	f.IntVar(&o.partitions, "partitions", 6, "partitions of each topic")
	f.IntVar(&o.rounds, "rounds", 7, "rounds of each table")
	f.IntVar(&o.messages, "messages", 2_000_000, "messages of a loop that sends nothing")
	f.IntVar(&o.forwarded, "forwarded", 500_000, "messages of a loop that sends each one on")
	f.StringVar(&o.only, "only", "", "measure only the loops whose names contain this, and those that they are compared with")
	f.StringVar(&o.profiles, "profiles", "", "write a CPU profile of each loop into this directory")
	if err := f.Parse(args); err != nil {
		return err
	}
	b, err := newBroker(ctx, o)
	if err != nil {
		return err
	}
	err = b.tables(ctx)
	return errors.Join(err, b.close())
}

// tables measures and prints.
func (b *broker) tables(ctx context.Context) error {
	fmt.Println(machine(b.o))
	for _, t := range []table{
		{title: "A processor that does nothing", loops: noopLoops(), messages: b.o.messages, reference: barePoll},
		{title: "Every message sent on, acks=all", loops: forwardLoops(), messages: b.o.forwarded, reference: bareForward, sends: true},
	} {
		if t.loops = t.wanted(b.o.only); len(t.loops) == 0 {
			continue
		}
		if err := b.fill(ctx, &t); err != nil {
			return err
		}
		results, err := b.measure(ctx, t)
		if err != nil {
			return err
		}
		fmt.Println(t.markdown(results))
	}
	return nil
}

// wanted are the table's loops that were asked for, with the reference.
func (t table) wanted(only string) []string {
	var out []string
	found := false
	for _, l := range t.loops {
		named := strings.Contains(l, only)
		found = found || named
		if named || l == t.reference {
			out = append(out, l)
		}
	}
	if !found {
		return nil
	}
	return out
}
