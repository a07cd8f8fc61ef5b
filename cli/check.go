package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pitlane-go/pitlane/admin"
	"github.com/pitlane-go/pitlane/config"
	"github.com/pitlane-go/pitlane/runner"
)

// errCheckFailed is the result of a check that found something. The lines above
// it say what.
var errCheckFailed = errors.New("check failed")

// inspector asks the cluster; admin.Client is one.
type inspector interface {
	Ping(ctx context.Context) (admin.Cluster, error)
	Metadata(ctx context.Context, topics ...string) ([]admin.Topic, error)
	Topics(ctx context.Context, pattern string) ([]string, error)
	MayReadGroup(ctx context.Context, group string) error
	Close() error
}

func (a *app) checkCommand() *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check that the brokers can be reached, the topics exist and the group may be read",
		Long: `Check that the brokers can be reached, the topics exist and the group may be
read: one line per check, with what is wrong and what to do. Nothing is changed
and nothing is consumed. Exit code 1 when a check fails.`,
		Args: cobra.NoArgs,
	}
	set := flags(cmd)
	cmd.Flags().DurationVar(&timeout, "timeout", admin.TimeoutDefault, "how long one question may take")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := set.load(a.program.Environ)
		if err != nil {
			return err
		}
		if err := a.checkBlock(c); err != nil {
			return err
		}
		asking, err := a.connect(c, timeout)
		if err != nil {
			return &runner.StartError{Cause: err}
		}
		all := checks{out: cmd.OutOrStdout(), asking: asking, config: c.Runner}
		all.run(cmd.Context())
		// It is the process's last act: what Close leaves open ends with it.
		_ = asking.Close()
		if all.failed > 0 {
			return &reportedError{runner.ExitFailed, errCheckFailed}
		}
		return nil
	}
	return cmd
}

func (a *app) connect(c *config.Config, timeout time.Duration) (inspector, error) {
	if a.inspect != nil {
		return a.inspect(c)
	}
	return admin.New(admin.Config{Properties: c.Runner.AdminProperties(), Timeout: timeout})
}

// checks asks one question after the other and prints a line for each.
type checks struct {
	out    io.Writer
	asking inspector
	config runner.Config
	failed int
}

func (c *checks) run(ctx context.Context) {
	cluster, err := c.asking.Ping(ctx)
	if err != nil {
		c.fail("brokers", err, "check the addresses, that the port is the listener that tls and sasl fit, and the network between")
		c.line("skip", "topics, group", "the brokers did not answer")
		return
	}
	c.line("ok", "brokers", describe(cluster))
	for _, t := range c.config.Topics {
		if t.IsPattern() {
			c.pattern(ctx, t.Name)
		} else {
			c.topic(ctx, t.Name)
		}
	}
	if err := c.asking.MayReadGroup(ctx, c.config.Group); err != nil {
		remedy := "the brokers may be busy: try again"
		if errors.Is(err, admin.ErrNotAuthorized) {
			remedy = "give the user the right READ on the group"
		}
		c.fail("group "+c.config.Group, err, remedy)
		return
	}
	c.line("ok", "group "+c.config.Group, "may be read")
}

func (c *checks) topic(ctx context.Context, name string) {
	found, err := c.asking.Metadata(ctx, name)
	switch {
	case errors.Is(err, admin.ErrUnknownTopic):
		c.fail("topic "+name, err, "create it, correct the name, or give the user the right DESCRIBE on it")
		return
	case errors.Is(err, admin.ErrNotAuthorized):
		c.fail("topic "+name, err, "give the user the rights READ and DESCRIBE on it")
		return
	case err != nil:
		c.fail("topic "+name, err, "the brokers may be busy: try again")
		return
	case len(found) == 0:
		c.fail("topic "+name, admin.ErrUnknownTopic, "create it, or correct the name")
		return
	}
	headless := 0
	for _, p := range found[0].Partitions {
		if p.Leader < 0 {
			headless++
		}
	}
	if headless > 0 {
		c.fail("topic "+name, fmt.Errorf("%d of %d partitions have no leader", headless, len(found[0].Partitions)), "start the brokers that hold them")
		return
	}
	c.line("ok", "topic "+name, count(len(found[0].Partitions), "partition"))
}

func (c *checks) pattern(ctx context.Context, pattern string) {
	names, err := c.asking.Topics(ctx, pattern)
	switch {
	case err != nil:
		c.fail("topics "+pattern, err, "the brokers may be busy: try again")
	case len(names) == 0:
		c.fail("topics "+pattern, errNoMatch, "create one, or correct the pattern; it starts to be read when it is there")
	default:
		c.line("ok", "topics "+pattern, count(len(names), "topic")+": "+strings.Join(names, ", "))
	}
}

var errNoMatch = errors.New("no topic matches")

func (c *checks) fail(what string, err error, remedy string) {
	c.failed++
	text := strings.Join(strings.Fields(err.Error()), " ")
	c.line("fail", what, text+"; "+remedy)
}

func (c *checks) line(verdict, what, text string) {
	_, _ = fmt.Fprintf(c.out, "%-4s  %s: %s\n", verdict, what, text)
}

func describe(cluster admin.Cluster) string {
	brokers := make([]string, len(cluster.Brokers))
	for i, b := range cluster.Brokers {
		brokers[i] = fmt.Sprintf("%d at %s:%d", b.ID, b.Host, b.Port)
	}
	text := count(len(brokers), "broker") + ": " + strings.Join(brokers, ", ")
	if cluster.ID != "" {
		text = "cluster " + cluster.ID + ", " + text
	}
	return text
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
