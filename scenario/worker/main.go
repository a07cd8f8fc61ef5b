// Command worker is a user's binary for the scenarios: its processor copies each
// message to an output topic, keeps a journal of what it did, and misbehaves as
// its processor block says.
package main

import (
	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/processor"
)

// hooked gives the processors of all assignments the hooks of the worker.
type hooked struct {
	processor.Processor
	*worker
}

func main() {
	w := newWorker()
	cli.Main("worker", processor.Wrap(processor.PerPartition(w.forPartition),
		func(inner processor.Processor) processor.Processor { return hooked{inner, w} }))
}
