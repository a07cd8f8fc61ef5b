// Command batch counts page views, one record per page and batch. Start a broker
// for development and the example with
//
//	go run ./cmd/runner broker --topic views:6 --topic page-counts:1
//	go run ./examples/batch run --config examples/batch/batch.yaml
package main

import (
	"github.com/pitlane-go/pitlane/cli"
	"github.com/pitlane-go/pitlane/examples/batch/tally"
)

func main() { cli.MainBatch("tally", tally.New()) }
