// Package tally is a batch processor: it counts page views per page and writes one
// record per page and batch instead of one per view.
package tally

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pitlane-go/pitlane/processor"
)

// View is what the processor reads: one view of a page.
type View struct {
	Page    string `json:"page"`
	Visitor string `json:"visitor"`
}

// Count is what it writes, under the page as key. A batch may run again after a
// failure, and then its counts are written again: a reader that must not count
// twice keeps one Count per page, partition and First.
type Count struct {
	Page      string `json:"page"`
	Views     int    `json:"views"`
	Partition int32  `json:"partition"`
	// First and Last are the offsets of the first and last view that is in it.
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

// Config is the processor block of the configuration.
type Config struct {
	// Topic takes the counts. Default: page-counts.
	Topic string `yaml:"topic"`
}

// Tally is the processor. It does not change after Setup, so all partitions may
// use it at the same time: what it counts lives for one batch.
type Tally struct{ cfg Config }

// New returns the processor with its defaults.
func New() *Tally { return &Tally{Config{Topic: "page-counts"}} }

// Config implements processor.Configurer.
func (t *Tally) Config() any { return &t.cfg }

// errNoPage: the view does not say of what.
var errNoPage = errors.New("view has no page")

// ProcessBatch implements processor.BatchProcessor. A view that cannot be read
// does not harm the views before it: these are counted and settled, and only the
// bad one follows the policy for permanent failures. What comes after it runs
// again as the next batch.
func (t *Tally) ProcessBatch(ctx context.Context, b *processor.Batch) error {
	counts := counts{last: map[string]*processor.Message{}, byPage: map[string]*Count{}}
	for i, m := range b.Messages {
		var v View
		err := json.Unmarshal(m.Value, &v)
		if err == nil && v.Page == "" {
			err = errNoPage
		}
		if err != nil {
			if sendErr := t.send(ctx, &counts); sendErr != nil {
				return sendErr
			}
			return processor.FailedAt(i, processor.DeadLetter(fmt.Errorf("read view: %w", err)))
		}
		counts.add(v.Page, m)
	}
	return t.send(ctx, &counts)
}

// send writes each count on behalf of the last message in it: that message, and so
// what comes after it, is settled only when the record has been acknowledged.
func (t *Tally) send(ctx context.Context, c *counts) error {
	for _, page := range c.pages {
		value, err := json.Marshal(c.byPage[page])
		if err != nil {
			return fmt.Errorf("encode count of %q: %w", page, err)
		}
		r := processor.Record{Topic: t.cfg.Topic, Key: []byte(page), Value: value}
		if err := c.last[page].Send(ctx, r); err != nil {
			return fmt.Errorf("send count of %q: %w", page, err)
		}
	}
	return nil
}

// counts is the tally of one batch; pages keeps the order of first sight.
type counts struct {
	pages  []string
	byPage map[string]*Count
	last   map[string]*processor.Message
}

func (c *counts) add(page string, m *processor.Message) {
	n := c.byPage[page]
	if n == nil {
		n = &Count{Page: page, Partition: m.Partition, First: m.Offset}
		c.byPage[page] = n
		c.pages = append(c.pages, page)
	}
	n.Views++
	n.Last = m.Offset
	c.last[page] = m
}
