// Package visits is a service that runs a Pitlane runner beside its own HTTP
// server, in one process: it counts visits per page from a topic and answers who
// asks for the counts.
package visits

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pitlane-go/pitlane/runner"
)

// stopTimeout bounds how long open HTTP requests may take after the stop began.
const stopTimeout = 5 * time.Second

// Service is the runner and the HTTP server.
type Service struct {
	counter *Counter
	runner  *runner.Runner
}

// New returns a service that consumes as cfg says.
func New(cfg runner.Config) *Service {
	c := &Counter{}
	return &Service{counter: c, runner: runner.New(cfg, c)}
}

// Run serves on ln and consumes until ctx ends or one of the two fails; then both
// stop in order. The runner drains and commits, while requests are still answered;
// after that the server stops. It returns the first error.
func (s *Service) Run(ctx context.Context, ln net.Listener) error {
	// The runner decides when the server stops: also when it ends by itself.
	consumed, done := context.WithCancel(context.WithoutCancel(ctx))
	defer done()
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second}

	g, running := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer done()
		if err := s.runner.Run(running); err != nil {
			return fmt.Errorf("consume visits: %w", err)
		}
		return nil
	})
	g.Go(func() error {
		if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("serve counts: %w", err)
		}
		return nil
	})
	g.Go(func() error {
		<-consumed.Done()
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		return server.Shutdown(stop)
	})
	return g.Wait()
}

func (s *Service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /visits/{page}", func(w http.ResponseWriter, r *http.Request) {
		answer(w, map[string]int{"visits": s.counter.Count(r.PathValue("page"))})
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, standings(s.runner.Status()))
	})
	return mux
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// standing is what /status says about one partition.
type standing struct {
	Topic     string   `json:"topic"`
	Partition int32    `json:"partition"`
	Position  int64    `json:"position"`
	Lag       int64    `json:"lag"` // -1 while unknown
	Holds     []string `json:"holds"`
}

func standings(s runner.Status) []standing {
	out := make([]standing, len(s.Partitions))
	for i, p := range s.Partitions {
		out[i] = standing{p.Topic, p.Partition, p.Position, p.Lag, []string{}}
		for _, h := range p.Holds {
			out[i].Holds = append(out[i].Holds, string(h.Reason))
		}
	}
	return out
}
