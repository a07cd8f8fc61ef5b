package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pitlane-go/pitlane/config"
)

// root builds the tree of commands.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           a.program.Name,
		Short:         "Runs a processor on the messages of Kafka topics",
		SilenceUsage:  true,
		SilenceErrors: true,
		// As far as one slip goes.
		SuggestionsMinimumDistance: 2,
		// With a run function, an unknown command reaches Args, and so becomes a
		// usage error of ours.
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(a.program.Stdout)
	root.SetErr(a.program.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(a.runCommand(), a.configCommand(), a.checkCommand(), a.versionCommand(), a.keysTopic())
	root.AddCommand(a.commands...)
	for _, c := range root.Commands() {
		usageErrors(c)
	}
	return root
}

// unknownCommand refuses what is no command, with the nearest one.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	message := fmt.Sprintf("unknown command %q", args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		message += ": did you mean " + strings.Join(near, " or ") + "?"
	}
	return &usageError{cmd.CommandPath(), errors.New(message)}
}

// flagError gives an unknown flag the nearest known one.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := config.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			err = fmt.Errorf("%w: did you mean --%s?", err, near)
		}
	}
	return &usageError{cmd.CommandPath(), err}
}

// usageErrors makes the refused arguments of a command, and of those below it,
// usage errors.
func usageErrors(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return &usageError{cmd.CommandPath(), err}
			}
			return nil
		}
	}
	for _, below := range c.Commands() {
		usageErrors(below)
	}
}
