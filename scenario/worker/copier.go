package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/processor"
)

// copier is the processor of one assignment.
type copier struct {
	w      *worker
	epoch  int32
	failed map[int64]int // runs that failed on purpose, by id
}

// Process implements processor.Processor.
func (c *copier) Process(ctx context.Context, m *processor.Message) error {
	id, err := strconv.ParseInt(string(m.Key), 10, 64)
	if err != nil {
		return processor.DeadLetter(fmt.Errorf("read id: %w", err))
	}
	run := kafkatest.Run{
		Member: c.w.set.Name, Epoch: c.epoch, ID: id, Attempt: int32(m.Attempt),
		Input: kafkatest.Position{Topic: m.Topic, Partition: m.Partition, Offset: m.Offset},
	}
	c.w.journal.Start(run)
	ended := false
	defer func() {
		if !ended { // a panic
			c.w.journal.End(run, kafkatest.OutcomeFailed)
		}
	}()
	err = c.run(ctx, m, id)
	ended = true
	c.w.journal.End(run, outcome(ctx, err))
	return err
}

func outcome(ctx context.Context, err error) kafkatest.Outcome {
	switch {
	case err == nil:
		return kafkatest.OutcomeOK
	case ctx.Err() != nil:
		return kafkatest.OutcomeCancelled
	}
	return kafkatest.OutcomeFailed
}

func (c *copier) run(ctx context.Context, m *processor.Message, id int64) error {
	s := &c.w.set
	switch err := c.misbehave(ctx, m, id); {
	case errors.Is(err, errSwallowed):
		return nil
	case err != nil:
		return err
	}
	if s.Work > 0 {
		select {
		case <-time.After(s.Work + time.Duration(m.Partition)*s.Stagger):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if s.Output == "" {
		return nil
	}
	partition := m.Partition
	return m.Send(ctx, processor.Record{
		Topic: s.Output, Key: m.Key, Value: m.Value, Headers: m.Headers, Timestamp: m.Timestamp, Partition: &partition,
	})
}

// errSwallowed is a block that ended with its context, of which nobody shall hear.
var errSwallowed = errors.New("swallowed")

// misbehave does what the settings ask of this message.
func (c *copier) misbehave(ctx context.Context, m *processor.Message, id int64) error {
	s := &c.w.set
	if s.Fail.Percent > 0 && m.Partition == s.Fail.Partition && id%100 < s.Fail.Percent && c.failed[id] < s.Fail.Times {
		c.failed[id]++
		return errors.New("fails on purpose")
	}
	if s.Abandon.Goroutines > 0 && m.Partition == s.Abandon.Partition {
		c.abandon(ctx, m)
	}
	if id >= s.Poison && id <= max(s.Poison, s.PoisonTo) && !exists(s.Mended) {
		return errors.New("poison")
	}
	switch id {
	case 0:
	case s.Permanent:
		return processor.DeadLetter(errors.New("fails for good"))
	case s.Halt:
		return processor.Stop(errors.New("asked to stop"))
	case s.Panic:
		if c.failed[id] == 0 {
			c.failed[id]++
			panic("panics on purpose")
		}
	case s.Block:
		fmt.Fprintln(os.Stderr, "blocked")
		return c.block(ctx)
	case s.Huge:
		return c.ignored(m.Send(ctx, processor.Record{Topic: s.Output, Key: m.Key, Value: make([]byte, s.HugeBytes)}))
	case s.Astray:
		return c.ignored(m.Send(ctx, processor.Record{Topic: s.AstrayTopic, Key: m.Key}))
	case s.Late:
		time.AfterFunc(100*time.Millisecond, func() {
			err := m.Send(context.WithoutCancel(ctx), processor.Record{Topic: s.Output, Key: m.Key})
			fmt.Fprintln(os.Stderr, "late send: ended", errors.Is(err, processor.ErrAttemptEnded))
		})
	}
	return nil
}

// ignored prints what the error of a send says to a program, and hides it when the
// settings say so.
func (c *copier) ignored(err error) error {
	if e, ok := errors.AsType[*delivery.Error](err); ok {
		fmt.Fprintf(os.Stderr, "send: topic %s code %d outcome %s class %s\n", e.Topic, e.Code, e.Outcome, e.Class())
	}
	if c.w.set.Ignore {
		return nil
	}
	return err
}

// block waits for the file Unblock.
func (c *copier) block(ctx context.Context) error {
	s := &c.w.set
	if s.Stubborn {
		defer context.AfterFunc(ctx, func() { fmt.Fprintln(os.Stderr, "context ended, staying") })()
		ctx = context.WithoutCancel(ctx)
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !exists(s.Unblock) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			if s.Swallow {
				return errSwallowed
			}
			return ctx.Err()
		}
	}
	return nil
}

// abandon leaves goroutines behind.
func (c *copier) abandon(ctx context.Context, m *processor.Message) {
	for range c.w.set.Abandon.Goroutines {
		go func() {
			_ = m.Send(context.WithoutCancel(ctx), processor.Record{Topic: c.w.set.AstrayTopic, Key: m.Key})
			select {}
		}()
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return path != "" && err == nil
}
