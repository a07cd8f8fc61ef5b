// Command runner is the stock binary: it runs the processors of package builtin,
// chosen by the processor block of the configuration.
package main

import (
	"github.com/pitlane-go/pitlane/builtin"
	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/demo"
)

func main() {
	cli.Main("runner", nil,
		cli.WithProcessor("forward", builtin.NewForward),
		cli.WithProcessor("log", builtin.NewLog),
		cli.WithCommand(demo.Command(), demo.BrokerCommand()),
	)
}
