package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pitlane-go/pitlane/admin"
)

const (
	pitlaneModule = "github.com/pitlane-go/pitlane"
	clientModule  = "github.com/confluentinc/confluent-kafka-go/v2"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of Pitlane, Go and the Kafka client",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, line := range [][2]string{
				{"pitlane", pitlaneVersion()},
				{"go", runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
				{"librdkafka", libraryVersion()},
				{"confluent-kafka-go", moduleVersion(clientModule)},
			} {
				_, _ = fmt.Fprintf(w, "%s\t%s\n", line[0], line[1])
			}
			return w.Flush()
		},
	}
}

func libraryVersion() string { return admin.LibraryVersion() }

// pitlaneVersion is the module's version; a build from a checkout names the
// commit instead.
func pitlaneVersion() string {
	version := moduleVersion(pitlaneModule)
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != pitlaneModule || version != "(devel)" {
		return version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return version + " " + s.Value
		}
	}
	return version
}

// moduleVersion is the version of a module that this program was built from.
func moduleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if info.Main.Path == path {
		return info.Main.Version
	}
	for _, m := range info.Deps {
		if m.Path != path {
			continue
		}
		if m.Replace != nil && m.Replace.Version != "" {
			return m.Replace.Version
		}
		return m.Version
	}
	return "unknown"
}
