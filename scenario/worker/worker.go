package main

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/processor"
)

// worker holds what all partitions share.
type worker struct {
	set     settings
	journal journal
	file    *os.File

	mu     sync.Mutex
	epochs map[processor.Partition]int32
}

func newWorker() *worker { return &worker{epochs: map[processor.Partition]int32{}} }

// Config implements processor.Configurer.
func (w *worker) Config() any { return &w.set }

// Setup implements processor.Setuper.
func (w *worker) Setup(context.Context, processor.Env) error {
	if w.set.Journal == "" {
		w.journal = silent{}
		return nil
	}
	f, err := os.OpenFile(w.set.Journal, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	w.file, w.journal = f, kafkatest.NewJournal(f)
	return nil
}

// Teardown implements processor.Teardowner.
func (w *worker) Teardown(context.Context) error {
	if err := w.journal.Err(); err != nil {
		return err
	}
	if w.file == nil {
		return nil
	}
	return w.file.Close()
}

// OnRevoked implements processor.RevokedHook.
func (w *worker) OnRevoked(_ context.Context, parts []processor.Partition) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range parts {
		if w.epochs[p] > 0 {
			w.journal.Revoked(w.set.Name, w.epochs[p], p.Topic, p.Partition)
		}
	}
}

// OnLost implements processor.LostHook.
func (w *worker) OnLost(_ context.Context, parts []processor.Partition) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range parts {
		w.journal.Lost(w.set.Name, w.epochs[p], p.Topic, p.Partition)
	}
}

// forPartition makes the processor of one assignment.
func (w *worker) forPartition(p processor.Partition) processor.Processor {
	c := w.assigned(p)
	return &c
}

// batchForPartition makes the batch processor of one assignment.
func (w *worker) batchForPartition(p processor.Partition) processor.BatchProcessor {
	return &batcher{copier: w.assigned(p)}
}

func (w *worker) assigned(p processor.Partition) copier {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.epochs[p]++
	w.journal.Assigned(w.set.Name, w.epochs[p], p.Topic, p.Partition)
	return copier{w: w, epoch: w.epochs[p], failed: map[int64]int{}}
}
