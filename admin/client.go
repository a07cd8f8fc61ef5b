package admin

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// closeWait bounds Close. The client's own close takes a tenth of a second; most
// calls end with their context, listing topics with the call's time-out only.
const closeWait = 3 * time.Second

// Client asks the cluster questions. Make it with New, end it with Close.
type Client struct {
	// Set at construction.
	timeout  time.Duration
	producer *kafka.Producer // the admin client's body, and its event channel
	admin    *kafka.AdminClient
	drained  chan struct{} // closed when the client has closed its events

	// Shared. connection is the client's latest error since the last answer.
	connection atomic.Pointer[kafka.Error]
	mu         sync.Mutex
	closed     bool
	calls      sync.WaitGroup // added to under mu while not closed

	closeOnce sync.Once
	closeErr  error
}

// New makes a client. It does not wait for a broker.
func New(cfg Config) (*Client, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, fmt.Errorf("configure admin client: %w", err)
	}
	producer, err := kafka.NewProducer(configMap(cfg))
	if err != nil {
		return nil, fmt.Errorf("open admin client: %w", err)
	}
	derived, err := kafka.NewAdminClientFromProducer(producer)
	if err != nil {
		return nil, fmt.Errorf("open admin client: %w", err)
	}
	c := &Client{timeout: cfg.Timeout, producer: producer, admin: derived, drained: make(chan struct{})}
	go c.drain()
	return c, nil
}

// drain keeps the latest error of the client; nothing else comes.
func (c *Client) drain() {
	defer close(c.drained)
	for ev := range c.producer.Events() {
		e, ok := ev.(kafka.Error)
		// "All brokers are down" follows the error that says why.
		if ok && (e.Code() != kafka.ErrAllBrokersDown || c.connection.Load() == nil) {
			c.connection.Store(&e)
		}
	}
}

// Close ends the client: later calls answer ErrClosed, those under way are waited
// for. It takes at most 3 s; then it answers ErrAbandoned, and the client closes by
// itself when the call that holds it ends. It may be called more than once, and
// concurrently.
func (c *Client) Close() error {
	c.closeOnce.Do(func() {
		c.mu.Lock()
		c.closed = true
		c.mu.Unlock()
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.calls.Wait()
			c.admin.Close()
			c.producer.Close()
			<-c.drained
		}()
		deadline := time.NewTimer(closeWait)
		defer deadline.Stop()
		select {
		case <-done:
		case <-deadline.C:
			c.closeErr = fmt.Errorf("close: %w", ErrAbandoned)
		}
	})
	return c.closeErr
}

// begin admits a call, whose end must be told to calls.
func (c *Client) begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	c.calls.Add(1)
	return nil
}

// answerMargin is how much earlier than the call's deadline the client shall give
// up, so that its own words get here before the context ends.
const answerMargin = 100 * time.Millisecond

// ask runs one call of the client under the deadline. f gets the context and how
// long the client may take.
func ask[T any](ctx context.Context, c *Client, asked string, f func(context.Context, time.Duration) (T, error)) (T, error) {
	var none T
	if err := c.begin(); err != nil {
		return none, newError(asked, err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1) // the call may end when nobody waits any more
	go func() {
		defer c.calls.Done()
		value, err := f(ctx, patience(ctx))
		answers <- answer{value, err}
	}()
	var got answer
	select {
	case got = <-answers:
	case <-ctx.Done():
		got.err = context.Cause(ctx)
	}
	if got.err == nil {
		c.connection.Store(nil)
		return got.value, nil
	}
	e := newError(asked, got.err)
	if latest := c.connection.Load(); latest != nil {
		e.Connection = *latest
	}
	return none, e
}

// patience is how long the client itself may take. The context has a deadline.
func patience(ctx context.Context) time.Duration {
	deadline, _ := ctx.Deadline()
	left := time.Until(deadline)
	return max(left-min(answerMargin, left/4), time.Millisecond)
}
