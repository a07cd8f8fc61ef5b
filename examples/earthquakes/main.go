// Command earthquakes forwards strong earthquakes as alerts. Start a broker for
// development and the example with
//
//	go run ./cmd/runner broker --earthquakes --topic alerts:1
//	go run ./examples/earthquakes run --config examples/earthquakes/earthquakes.yaml
package main

import (
	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/examples/earthquakes/quake"
)

func main() { cli.Main("earthquakes", quake.New()) }
