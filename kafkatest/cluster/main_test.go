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
// killed.
const crashEnv = "PITLANE_CLUSTER_CRASH"

func TestMain(m *testing.M) {
	if os.Getenv(crashEnv) != "" {
		crashChild()
		return
	}
	goleak.VerifyTestMain(m)
}

// crashChild prints what it has started, freezes a broker, and waits.
func crashChild() {
	c, err := cluster.Run(context.Background(), cluster.Config{})
	if err == nil {
		err = c.Freeze(1)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(c.Dir(), c.Addr(1))
	select {}
}
