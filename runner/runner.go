package runner

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// Runner runs a processor on the messages of a consumer group. Make one with New
// or NewBatch; it runs once.
type Runner struct {
	// Set at construction.
	cfg        Config
	single     processor.Processor
	batch      processor.BatchProcessor
	middleware []processor.Middleware
	batchWare  []processor.BatchMiddleware
	stopCh     chan struct{} // closed by the first Stop
	cancelCh   chan struct{} // closed by the first Cancel
	stopOnce   sync.Once
	cancelOnce sync.Once
	started    atomic.Bool

	// Set by Run before anything else sees them.
	state  machine
	health *health
	lanes  *lanes
	sub    *subscription
	slots  *slots
	hooks  processor.HookSet
	endCh  chan error // what ends the run: capacity 1, the first wins

	// Shared.
	mu       sync.Mutex
	set      *consumerset.Set
	producer *delivery.Producer
}

// Option changes a Runner at construction.
type Option func(*Runner)

// WithMiddleware wraps the processor, the first one outermost. It is applied to
// each value that a PerPartition processor makes.
func WithMiddleware(m ...processor.Middleware) Option {
	return func(r *Runner) { r.middleware = append(r.middleware, m...) }
}

// WithBatchMiddleware is WithMiddleware for batch processors.
func WithBatchMiddleware(m ...processor.BatchMiddleware) Option {
	return func(r *Runner) { r.batchWare = append(r.batchWare, m...) }
}

// New makes a Runner for a Processor. Problems of the configuration are returned
// by Run.
func New(cfg Config, p processor.Processor, opts ...Option) *Runner {
	r := newRunner(cfg, opts)
	r.single = processor.Wrap(p, r.middleware...)
	r.hooks = processor.Hooks(r.single)
	return r
}

// NewBatch makes a Runner for a BatchProcessor.
func NewBatch(cfg Config, p processor.BatchProcessor, opts ...Option) *Runner {
	r := newRunner(cfg, opts)
	r.batch = processor.WrapBatch(p, r.batchWare...)
	r.hooks = processor.Hooks(r.batch)
	return r
}

func newRunner(cfg Config, opts []Option) *Runner {
	cfg = cfg.WithDefaults()
	r := &Runner{
		cfg: cfg, stopCh: make(chan struct{}), cancelCh: make(chan struct{}),
		endCh: make(chan error, 1), lanes: newLanes(), health: newHealth(cfg.Events),
		slots: newSlots(max(cfg.Concurrency, 1)),
	}
	r.state.events = cfg.Events
	r.state.since = time.Now()
	for _, o := range opts {
		o(r)
	}
	return r
}

// Stop asks for the end, as the end of Run's context does: nothing new starts,
// what runs is waited for, delivered and committed.
func (r *Runner) Stop() { r.stopOnce.Do(func() { close(r.stopCh) }) }

// Cancel stops waiting for running attempts: their contexts end now. It implies
// Stop.
func (r *Runner) Cancel() {
	r.cancelOnce.Do(func() { close(r.cancelCh) })
	r.Stop()
}

// Run runs until ctx ends, Stop is called, or something ends it, and then stops
// in order, inside Shutdown.Deadline. It returns nil after a clean stop; else a
// *ConfigError, *StartError, *StoppedError, *GaveUpError or *UnfinishedError, or
// several of them joined.
func (r *Runner) Run(ctx context.Context) error {
	if !r.started.CompareAndSwap(false, true) {
		return ErrAlreadyRun
	}
	if err := r.cfg.Validate(); err != nil {
		return err
	}
	sub, err := newSubscription(r.cfg.Topics)
	if err != nil {
		return &ConfigError{[]error{err}}
	}
	r.sub = sub
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-r.stopCh:
			cancel()
		case <-ctx.Done():
		}
	}()
	r.state.move(StateStarting, "")
	err = r.run(ctx)
	reason := "asked to"
	if err != nil {
		reason = err.Error()
	}
	r.state.move(StateStopped, reason)
	return err
}

// run starts, waits for an end and stops.
func (r *Runner) run(ctx context.Context) error {
	partitions, err := r.awaitTopics(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	if err := r.setUp(ctx); err != nil {
		return err
	}
	base := context.WithoutCancel(ctx) // what a stop still has to do outlives ctx
	if err := r.open(base, partitions); err != nil {
		return errors.Join(&StartError{err}, r.teardown(base, time.Now().Add(r.cfg.Shutdown.Deadline)))
	}
	r.state.move(StateRunning, "")
	setDone := make(chan error, 1)
	go func() { setDone <- r.set.Run(base) }()
	watchCtx, stopWatch := context.WithCancel(base)
	watchDone := make(chan struct{})
	go func() {
		defer close(watchDone)
		r.monitor().run(watchCtx)
	}()
	var cause error
	select {
	case <-ctx.Done():
	case cause = <-r.endCh:
	}
	stopWatch()
	<-watchDone
	return r.shutdown(base, cause, setDone)
}

// end ends the run with an error; the first one counts.
func (r *Runner) end(err error) {
	select {
	case r.endCh <- err:
	default:
	}
}

func (r *Runner) env() processor.Env {
	return processor.Env{Group: r.cfg.Group, ClientID: r.cfg.ClientID, Topics: r.cfg.TopicNames(), Logger: r.cfg.Logger}
}

func (r *Runner) monitor() *monitor {
	return &monitor{
		lanes: r.lanes, health: r.health, events: r.cfg.Events,
		slowAfter: r.cfg.SlowAfter, grace: r.cfg.FailureGrace,
		giveUp:   func(err error) { r.end(&GaveUpError{err}) },
		reported: map[*lane.Lane]int64{},
	}
}

// startLane makes the lane of an assignment.
func (r *Runner) startLane(a consumerset.Assignment) consumerset.Lane {
	part := a.Source.Partition
	topic := r.sub.find(part.Topic).withDefaults(r.cfg)
	cfg := lane.Config{
		Source: a.Source, Start: a.Start, Feed: a.Feed, After: a.After,
		Batch: lane.BatchLimits{
			MaxMessages: topic.Batch.MaxMessages, MaxWait: topic.Batch.MaxWait, MaxBytes: topic.Batch.MaxBytes,
		},
		AttemptTimeout: r.cfg.ProcessorTimeout,
		Sender:         sender{r.producer},
		Policy:         newPolicy(*topic.Pause, r.health.configFailed),
		Slots:          r.slots,
		Events:         r.cfg.Events,
		MaxOutstanding: r.cfg.Delivery.MaxOutstanding,
		LateAfter:      r.cfg.Delivery.LateAfter,
		Stopped:        func(cause error) { r.end(&StoppedError{part, cause}) },
	}
	if r.batch != nil {
		cfg.BatchProcessor = &madeBatch{root: r.batch, part: part}
	} else {
		cfg.Processor = &made{root: r.single, part: part}
	}
	l := lane.New(cfg)
	r.lanes.add(l)
	return l
}

// sender lets lanes begin attempts of the producer.
type sender struct{ producer *delivery.Producer }

// Begin implements lane.Sender.
func (s sender) Begin() lane.Attempt { return s.producer.Begin() }
