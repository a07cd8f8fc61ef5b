package cluster

import (
	"errors"
	"fmt"
)

var (
	// ErrNoJava says that no java command was found in PATH: install a JRE 17 or
	// newer.
	ErrNoJava = errors.New("java not found in PATH: install a Java runtime 17 or newer")

	// ErrNoMaven says that the jars of Kafka are not in the cache and that there is
	// no mvn command to fetch them: install Maven, or name a directory with the jars
	// in PITLANE_KAFKA_LIBS.
	ErrNoMaven = errors.New("mvn not found in PATH: install Maven or set " + LibsEnv + " to the libs directory of a Kafka installation")

	// ErrNoLibs says that PITLANE_KAFKA_LIBS names a directory without Kafka's jars.
	ErrNoLibs = errors.New("no jars of Kafka in the directory of " + LibsEnv)

	// ErrNoPorts says that every block of ports is reserved or in use: too many
	// clusters run on this machine.
	ErrNoPorts = errors.New("no free block of ports below 32768")

	// ErrConfig says that a Config is not valid; the text names the fields.
	ErrConfig = errors.New("cluster config is not valid")

	// ErrClosed says that the cluster was closed.
	ErrClosed = errors.New("cluster is closed")

	// ErrNoBroker says that the cluster has no broker with that id.
	ErrNoBroker = errors.New("no such broker")

	// ErrNotRunning says that the broker's process does not run.
	ErrNotRunning = errors.New("broker does not run")

	// ErrRunning says that the broker's process runs already.
	ErrRunning = errors.New("broker runs already")
)

// BrokerError is the failure of one broker's process. It carries the end of its
// log.
type BrokerError struct {
	Broker int    // id, 1 is the first
	Log    string // the last lines that the broker wrote
	Err    error
}

func (e *BrokerError) Error() string {
	if e.Log == "" {
		return fmt.Sprintf("broker %d: %v", e.Broker, e.Err)
	}
	return fmt.Sprintf("broker %d: %v; its log ends with:\n%s", e.Broker, e.Err, e.Log)
}

func (e *BrokerError) Unwrap() error { return e.Err }
