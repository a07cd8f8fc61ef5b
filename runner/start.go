package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pitlane-go/pitlane/admin"
)

var errSetup = errors.New("set up: not done at shutdown.deadline")

const (
	// startAskTimeout bounds one question at start.
	startAskTimeout = 5 * time.Second
	// startAskPause is the time between two.
	startAskPause = 500 * time.Millisecond
	// reasonStart names the trouble of a runner that cannot start yet.
	reasonStart = "waiting for brokers and topics"
)

// setUp calls the processor's Setup. One that does not return when ctx has ended is
// left alone at the deadline of a stop.
func (r *Runner) setUp(ctx context.Context) error {
	done := make(chan error, 1) // nobody may wait for it any more
	go func() { done <- r.hooks.Setup(ctx, r.env()) }()
	var limit <-chan time.Time
	ended := ctx.Done()
	for {
		select {
		case err := <-done:
			if err != nil {
				return &StartError{err}
			}
			return nil
		case <-ended:
			ended, limit = nil, time.After(r.cfg.Shutdown.Deadline)
		case <-limit:
			return &StartError{errSetup}
		}
	}
}

// awaitTopics waits until the brokers answer and the named topics exist, and
// returns how many partitions the topics have. It keeps trying for StartTimeout;
// a ctx that ends is no error.
func (r *Runner) awaitTopics(ctx context.Context) (partitions int, err error) {
	client, err := admin.New(admin.Config{Properties: r.cfg.AdminProperties(), Timeout: startAskTimeout})
	if err != nil {
		return 0, &StartError{err}
	}
	defer func() {
		if cerr := client.Close(); cerr != nil && err == nil && !errors.Is(cerr, admin.ErrAbandoned) {
			err = &StartError{cerr}
		}
	}()
	deadline := time.Now().Add(r.cfg.StartTimeout)
	for {
		partitions, err = r.countPartitions(ctx, client, deadline)
		switch {
		case ctx.Err() != nil:
			return 0, nil // asked to stop: the question has no answer because of it
		case err == nil:
			r.health.good(reasonStart)
			return partitions, nil
		}
		r.health.bad(reasonStart, err)
		if time.Until(deadline) <= startAskPause { // no time for another question
			return 0, &StartError{fmt.Errorf("not ready after start_timeout (%v): %w", r.cfg.StartTimeout, err)}
		}
		select {
		case <-time.After(startAskPause):
		case <-ctx.Done():
		}
	}
}

// countPartitions counts the partitions of all topics, those that a pattern
// matches now included. A named topic must be there; a pattern may match nothing.
func (r *Runner) countPartitions(ctx context.Context, client *admin.Client, deadline time.Time) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, min(startAskTimeout, time.Until(deadline)))
	defer cancel()
	seen := map[string]bool{}
	for _, t := range r.cfg.Topics {
		if !t.IsPattern() {
			seen[t.Name] = true
			continue
		}
		matches, err := client.Topics(ctx, t.Name)
		if err != nil {
			return 0, err
		}
		for _, m := range matches {
			seen[m] = true
		}
	}
	if len(seen) == 0 {
		return 1, nil
	}
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	topics, err := client.Metadata(ctx, names...)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, t := range topics {
		n += len(t.Partitions)
	}
	return max(n, 1), nil
}
