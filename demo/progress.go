package demo

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/pitlane-go/pitlane/demo/live"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

// rateWindow is the time over which a partition's rate is measured.
const rateWindow = 2 * time.Second

// standing is where the runner stands in one partition.
type standing struct {
	processor.Partition
	position int64
	holds    []pause.Hold
}

// progress makes the rows of the picture out of what the runner says about itself.
type progress struct {
	samples map[processor.Partition][]sample
}

type sample struct {
	at       time.Time
	position int64
}

func newProgress() *progress { return &progress{samples: map[processor.Partition][]sample{}} }

// rows returns a row per partition. end is the offset behind a partition's last
// message.
func (p *progress) rows(now time.Time, all []standing, end func(partition int32) int64) []live.Row {
	slices.SortFunc(all, func(a, b standing) int { return cmp.Compare(a.Partition.Partition, b.Partition.Partition) })
	rows := make([]live.Row, 0, len(all))
	for _, s := range all {
		row := live.Row{
			Name:     fmt.Sprintf("%s %d", s.Topic, s.Partition.Partition),
			Position: s.position,
			Lag:      max(0, end(s.Partition.Partition)-s.position),
			Rate:     p.rate(now, s),
		}
		if h, held := binding(s.holds); held {
			row.Hold, row.Attempt = string(h.Reason), h.Attempt
			if !h.Until.IsZero() {
				row.Left = max(0, h.Until.Sub(now))
			}
			if h.Cause != nil {
				row.Cause = h.Cause.Error()
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// rate is how fast the position moved in the window before now.
func (p *progress) rate(now time.Time, s standing) float64 {
	samples := append(p.samples[s.Partition], sample{now, s.position})
	for len(samples) > 2 && now.Sub(samples[1].at) >= rateWindow {
		samples = samples[1:]
	}
	p.samples[s.Partition] = samples
	first := samples[0]
	if passed := now.Sub(first.at); passed > 0 && s.position > first.position {
		return float64(s.position-first.position) / passed.Seconds()
	}
	return 0
}

// binding is the hold that ends last.
func binding(holds []pause.Hold) (pause.Hold, bool) {
	var all pause.Holds
	for _, h := range holds {
		all.Put(h)
	}
	return all.Binding()
}
