// Command worker is a user's binary for the scenarios: its processor copies each
// message to an output topic, keeps a journal of what it did, and misbehaves as
// its processor block says.
package main

import (
	"os"

	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/processor"
)

// hooked gives the processors of all assignments the hooks of the worker.
type hooked struct {
	processor.Processor
	*worker
}

// hookedBatch is the same for batches.
type hookedBatch struct {
	processor.BatchProcessor
	*worker
}

// envBatch, when it is set, makes the worker a batch processor.
const envBatch = "WORKER_BATCH"

func main() {
	answerCounts()
	w := newWorker()
	if os.Getenv(envBatch) != "" {
		cli.MainBatch("worker", processor.WrapBatch(processor.BatchPerPartition(w.batchForPartition),
			func(inner processor.BatchProcessor) processor.BatchProcessor { return hookedBatch{inner, w} }), cli.WithEvents(w.decided))
	}
	cli.Main("worker", processor.Wrap(processor.PerPartition(w.forPartition),
		func(inner processor.Processor) processor.Processor { return hooked{inner, w} }), cli.WithEvents(w.decided))
}
