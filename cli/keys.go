package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pitlane-go/pitlane/config"
)

// keysTopic is the page of `help keys`: every key with its variable, range,
// default and meaning.
func (a *app) keysTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("Every key of the configuration: in a file under its sections, as a variable of the environment, or as a flag.\n")
	for _, k := range config.Keys() {
		b.WriteString("\n")
		if flag := k.Flag(); flag != "" {
			fmt.Fprintf(&b, "--%s  %s\n", flag, k.Env())
		} else {
			fmt.Fprintf(&b, "%s  (no flag: it would be seen by other users)\n", k.Env())
		}
		words := k.Type
		if k.Range != "" {
			words += ": " + k.Range
		}
		if d := display(k.Default()); d != "" {
			words += "; default " + d
		}
		fmt.Fprintf(&b, "    %s\n    %s\n", words, plain(k.Doc))
	}
	return &cobra.Command{Use: "keys", Short: "Every key of the configuration", Long: b.String()}
}
