package cli

import (
	"errors"
	"maps"

	"github.com/pitlane-go/pitlane/admin"
)

// nowhere is an address at which nobody listens: a trial needs no broker.
const nowhere = "127.0.0.1:1"

// tryProperties makes a client of raw properties and closes it again, so that a
// name which librdkafka does not know is found before anything starts.
func tryProperties(properties map[string]string) error {
	all := maps.Clone(properties)
	all["bootstrap.servers"] = nowhere
	client, err := admin.New(admin.Config{Properties: all})
	if err == nil {
		_ = client.Close() // one that does not close in time says nothing about its properties
		return nil
	}
	// What the client says, without who asked it.
	if cause := errors.Unwrap(err); cause != nil {
		return cause
	}
	return err
}
