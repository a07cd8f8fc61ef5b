// Command embed shows Pitlane as a library: a service with an HTTP server of its
// own that consumes a topic. It handles signals itself, because the library does
// not. Start a broker for development and the example with
//
//	go run ./cmd/runner broker --topic visits:6
//	go run ./examples/embed
//	curl http://127.0.0.1:8090/visits/home
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/pitlane-go/pitlane/examples/embed/visits"
	"github.com/pitlane-go/pitlane/runner"
)

func main() {
	brokers := flag.String("brokers", "127.0.0.1:9092", "bootstrap address")
	listen := flag.String("listen", "127.0.0.1:8090", "address of the HTTP server")
	flag.Parse()
	// The first signal ends the context: both parts stop in order. The second one
	// finds no handler any more and kills the process, as users expect.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	err := run(ctx, *brokers, *listen)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "embed:", err)
		os.Exit(runner.ExitCode(err))
	}
}

func run(ctx context.Context, brokers, listen string) error {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	fmt.Printf("visits per page: http://%s/visits/{page}\n", ln.Addr())
	return visits.New(runner.Config{
		Brokers: []string{brokers},
		Group:   "visits",
		Topics:  []runner.Topic{{Name: "visits"}},
	}).Run(ctx, ln)
}
