package delivery

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Producer sends records through one Kafka client and tracks their delivery.
// Make it with New, end it with Close. It is safe for concurrent use.
type Producer struct {
	// current is the generation that new attempts bind to.
	current  atomic.Pointer[generation]
	counters counters

	closeOnce sync.Once
	closeErr  error
}

// New makes a producer. It does not wait for a broker: records queue until one
// is found. The error names every problem of the configuration.
func New(cfg Config) (*Producer, error) {
	return newProducer(cfg, openKafka)
}

func newProducer(cfg Config, open openFunc) (*Producer, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, fmt.Errorf("configure producer: %w", err)
	}
	client, err := open(Properties(cfg))
	if err != nil {
		return nil, err
	}
	p := &Producer{}
	g := newGeneration(1, client, &p.counters, cfg.Events)
	p.current.Store(g)
	go g.drain()
	return p, nil
}

// Begin opens an attempt. It costs nothing until the first Send.
func (p *Producer) Begin() *Attempt {
	return &Attempt{producer: p, failedIndex: -1}
}

// Stats returns the counters.
func (p *Producer) Stats() Stats {
	g := p.current.Load()
	c := &p.counters
	return Stats{
		Generation:     g.number,
		Open:           int64(g.handles.len()),
		Acked:          c.acked.Load(),
		Failed:         c.failed.Load(),
		Sent:           c.sent.Load(),
		Refused:        c.refused.Load(),
		QueueFull:      c.queueFull.Load(),
		LateReports:    c.lateReports.Load(),
		UnknownReports: c.unknownReports.Load(),
	}
}
