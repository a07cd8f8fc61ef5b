package cluster_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/pitlane-go/pitlane/kafkatest/cluster"
)

// crashEnv makes this test binary a process that starts a cluster and waits to be
// killed; it says whether the broker is to be frozen.
const crashEnv = "PITLANE_CLUSTER_CRASH"

func TestMain(m *testing.M) {
	if how := os.Getenv(crashEnv); how != "" {
		crashChild(how == "frozen")
		return
	}
	goleak.VerifyTestMain(m)
}

// crashChild prints what it has started and waits.
func crashChild(freeze bool) {
	c, err := cluster.Run(context.Background(), cluster.Config{})
	if err == nil && freeze {
		err = c.Freeze(1)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(c.Dir())
	select {}
}
