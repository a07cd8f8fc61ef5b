package cli

import (
	"maps"
	"slices"

	"github.com/pitlane-go/pitlane/config"
	"github.com/pitlane-go/pitlane/runner"
)

// clients gives the properties of each role, redacted. The fetch sizes are those
// for one partition: the start divides the buffer by the partitions that it
// finds.
func clients(c runner.Config) []client {
	roles := c.Properties()
	var out []client
	for _, role := range slices.Sorted(maps.Keys(roles)) {
		shown := map[string]string{}
		for name, value := range roles[role] {
			shown[name] = config.Redact(name, value)
		}
		out = append(out, client{role, shown})
	}
	return out
}
