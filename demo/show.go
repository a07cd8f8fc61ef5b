package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pitlane-go/pitlane/demo/live"
	"github.com/pitlane-go/pitlane/examples/earthquakes/quake"
	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/embedded"
	"github.com/pitlane-go/pitlane/processor"
	"github.com/pitlane-go/pitlane/runner"
)

// catchUpLimit bounds the wait for what was streamed to be processed.
const catchUpLimit = 20 * time.Second

// show is one run of the demo.
type show struct {
	// Set at construction.
	cfg     Config
	out     io.Writer
	broker  string
	history *kafkatest.History
	ledger  *ledger
	stream  *stream
	faults  *faults
	runner  *runner.Runner
	start   time.Time

	// Owned by the goroutine that performs.
	screen   *live.Screen
	progress *progress
	phase    string
	// last is where the partitions stood before they were given back.
	last []standing
}

func newShow(cfg Config, broker string, out io.Writer) (*show, error) {
	h := kafkatest.NewHistory()
	l := newLedger(h)
	stream, err := newStream(broker, cfg.Rate, l.acknowledged)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	s := &show{
		cfg: cfg, out: out, broker: broker, history: h, ledger: l, stream: stream, start: start,
		screen: live.New(out), progress: newProgress(),
		faults: &faults{
			share: cfg.FailureShare, now: time.Now, victim: l.busiest,
			from: start.Add(cfg.For / 5), to: start.Add(cfg.For / 2),
			random: rand.New(rand.NewPCG(uint64(start.UnixNano()), 0)),
		},
	}
	p := processor.Wrap(quake.New(), s.faults.middleware)
	s.runner = runner.New(runnerConfig(broker, failures(h)), kafkatest.NewWitness(h, member, nil).Process(p))
	return s, nil
}

// perform streams and consumes until both have ended. complete says that
// everything streamed was processed.
func (s *show) perform(ctx context.Context) (complete bool, err error) {
	streamCtx, endStream := context.WithTimeout(ctx, s.cfg.For)
	defer endStream()
	streamed, consumed := make(chan error, 1), make(chan error, 1) // one result each
	go func() { streamed <- s.stream.run(streamCtx) }()
	go func() { consumed <- s.runner.Run(context.WithoutCancel(ctx)) }()
	tick := time.NewTicker(s.screen.Interval())
	defer tick.Stop()

	var limit <-chan time.Time
	var streamErr, drawErr error
	for {
		select {
		case streamErr = <-streamed:
			streamed, limit, s.phase = nil, time.After(catchUpLimit), "catching up"
			s.faults.mend()
		case <-limit:
			s.runner.Stop()
		case now := <-tick.C:
			drawErr = errors.Join(drawErr, s.draw(now))
			if streamed == nil && !complete && s.caughtUp() {
				complete, s.phase = true, "stopping"
				s.runner.Stop()
			}
		case err = <-consumed:
			endStream()
			if streamed != nil {
				streamErr = <-streamed
			}
			return complete, errors.Join(err, streamErr, drawErr, s.draw(time.Now()))
		}
	}
}

// caughtUp tells whether every partition stands at its end.
func (s *show) caughtUp() bool {
	positions := map[int32]int64{}
	for _, st := range standings(s.runner.Status()) {
		positions[st.Partition.Partition] = st.position
	}
	for p := range int32(s.cfg.Partitions) {
		if positions[p] < s.ledger.end(p) {
			return false
		}
	}
	return true
}

func (s *show) draw(now time.Time) error {
	status := s.runner.Status()
	if all := standings(status); len(all) > 0 {
		s.last = all
	}
	var processed int64
	for _, st := range s.last {
		processed += st.position
	}
	return s.screen.Draw(live.Frame{
		Title: "Pitlane demo",
		Notes: []string{
			fmt.Sprintf("a week of earthquakes at %d/s, looped, through a broker at %s", s.cfg.Rate, s.broker),
			fmt.Sprintf("%.0f%% of all runs fail, and one partition's head fails from %.0fs to %.0fs",
				100*s.cfg.FailureShare, s.faults.from.Sub(s.start).Seconds(), s.faults.to.Sub(s.start).Seconds()),
		},
		Elapsed: now.Sub(s.start), Total: s.cfg.For, Phase: s.phase,
		Rows: s.progress.rows(now, s.last, s.ledger.end),
		Totals: []live.Total{
			{Name: "streamed", Value: s.ledger.produced()},
			{Name: "processed", Value: processed},
			{Name: "alerts", Value: status.Delivery.Acked},
			{Name: "injected failures", Value: s.faults.injected.Load()},
		},
	})
}

// judge reads alerts and commits back from the broker and has the history checked.
func (s *show) judge(ctx context.Context, broker *embedded.Broker, complete bool) (*kafkatest.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	records, err := broker.ReadAll(ctx, alertTopic)
	if err != nil {
		return nil, err
	}
	alerts := make([]alert, len(records))
	for i, r := range records {
		alerts[i] = alert{kafkatest.Position{Topic: r.Topic, Partition: r.Partition, Offset: r.Offset}, r.Value}
	}
	if err := outputs(s.history, alerts, s.ledger.number); err != nil {
		return nil, err
	}
	broker.NoteCommits(s.history, group)
	return judge(s.history, s.ledger.expected, complete), nil
}

// summary ends with the report, which scripts may read.
func (s *show) summary(r *kafkatest.Report, complete bool) error {
	scope := ""
	if !complete {
		scope = "The runner had not caught up with the stream: judged is what it had committed.\n"
	}
	_, err := fmt.Fprintf(s.out, `
%s earthquakes streamed, %s runs of the processor, %s alerts, %s injected failures, %s commits.
The checker has read alerts and commits back from the broker and judged the whole history:
%s%s
`,
		comma(r.Inputs), comma(r.Runs), comma(r.Outputs), humanize.Comma(s.faults.injected.Load()), comma(r.Commits), scope, r)
	return err
}

func comma(n int) string { return humanize.Comma(int64(n)) }
