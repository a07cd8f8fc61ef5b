package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pitlane-go/pitlane/config"
)

func (a *app) configCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print every effective setting with its source, and the client properties that follow",
		Long: `Print every effective setting with its source, and the client properties that
follow from them. Secrets are redacted. The yaml output is a file that can be
read again.`,
		Args: cobra.NoArgs,
	}
	set := flags(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "table", "table, yaml or json")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		show, ok := map[string]func(io.Writer, shown) error{"table": showTable, "yaml": showYAML, "json": showJSON}[output]
		if !ok {
			return &usageError{cmd.CommandPath(), fmt.Errorf("--output %q is none of table, yaml, json", output)}
		}
		c, err := set.load(a.program.Environ)
		if err != nil {
			return err
		}
		if err := a.checkBlock(c); err != nil {
			return err
		}
		return show(cmd.OutOrStdout(), shown{values: c.Values(), clients: clients(c.Runner)})
	}
	return cmd
}

// checkBlock finds mistakes in the processor's block too, where there is one to
// choose or a processor to take it.
func (a *app) checkBlock(c *config.Config) error {
	if c.Processor.Empty() || (a.single == nil && a.batch == nil && len(a.stock) == 0) {
		return nil
	}
	return a.configure(c)
}

// shown is what config prints.
type shown struct {
	values  []config.Value
	clients []client
}

// client is one role with the properties that it is made with, redacted.
type client struct {
	role       string
	properties map[string]string
}

func showTable(out io.Writer, s shown) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "KEY\tSOURCE\tVALUE")
	for _, v := range s.values {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", v.Key, v.Origin, display(v.Value))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, c := range s.clients {
		_, _ = fmt.Fprintf(w, "\n%s PROPERTY\tVALUE\n", strings.ToUpper(c.role))
		for _, name := range slices.Sorted(maps.Keys(c.properties)) {
			_, _ = fmt.Fprintf(w, "%s\t%s\n", name, c.properties[name])
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// showYAML writes the settings as a file, each with its source behind it. What
// is redacted becomes a comment: reading it would set the wrong thing.
func showYAML(out io.Writer, s shown) error {
	var b strings.Builder
	section := ""
	for _, v := range s.values {
		text := display(v.Value)
		if text == "" {
			continue
		}
		path, name, _ := strings.Cut(v.Key, ".")
		indent := ""
		if name == "" {
			path, name = "", path
		} else {
			indent = "  "
		}
		if path != section && path != "" {
			fmt.Fprintf(&b, "%s:\n", path)
		}
		section = path
		mark := ""
		if strings.Contains(text, config.Redacted) {
			mark = "# "
		}
		fmt.Fprintf(&b, "%s%s%s: %s  # %s\n", indent, mark, name, text, v.Origin)
	}
	for _, c := range s.clients {
		fmt.Fprintf(&b, "\n# properties of the %s\n", c.role)
		for _, name := range slices.Sorted(maps.Keys(c.properties)) {
			fmt.Fprintf(&b, "#   %s: %s\n", name, c.properties[name])
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func showJSON(out io.Writer, s shown) error {
	type setting struct {
		Key    string `json:"key"`
		Value  any    `json:"value"`
		Source string `json:"source"`
	}
	document := struct {
		Settings []setting                    `json:"settings"`
		Clients  map[string]map[string]string `json:"clients"`
	}{Clients: map[string]map[string]string{}}
	for _, v := range s.values {
		document.Settings = append(document.Settings, setting{v.Key, v.Value, v.Origin.String()})
	}
	for _, c := range s.clients {
		document.Clients[c.role] = c.properties
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(document)
}
