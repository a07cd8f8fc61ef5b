package scenario_test

import (
	"slices"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// The main job at its stated size: a team copies a topic with the stock binary.
// Without pipelined deliveries it would take hours; without the window, or with
// a lane that overtakes itself, records would be missing or change places.
func TestTheStockRunnerForwardsAMillionMessages(t *testing.T) {
	for _, c := range []struct {
		name    string
		brokers int
	}{{"one broker", 1}, {"three brokers", 3}} {
		t.Run(c.name, func(t *testing.T) {
			r := suite.New(t, rig.Config{Brokers: c.brokers})
			n := scale.N(t, 100_000, 1_000_000)
			r.Pour(n)
			p := r.Stock("forward", rig.Settings{
				"processor.forward.topic": r.Output, "processor.forward.keep_partition": true,
			})
			r.AwaitAllCommitted(5*time.Minute, 0, 1, 2, 3, 4, 5)
			stopClean(t, p)
			diff := r.Diff()
			t.Log(diff)
			if diff.In != n {
				t.Errorf("the input has %d messages, want %d", diff.In, n)
			}
			if err := diff.Err(0); err != nil {
				t.Error(err)
			}
		})
	}
}

// One partition has bad data: 6 of 100 units fail twice. Nothing may be lost or
// change its place in it, and the others may not notice: without a hold of its
// own the partition would skip what failed, or stand in the way of its
// neighbours, which share the client, the producer and the slots with it.
func TestAPartitionWhoseUnitsFailTwiceKeepsItsOrder(t *testing.T) {
	const bad = 2
	r := suite.New(t, rig.Config{})
	n := scale.N(t, 40_000, 200_000)
	r.Fill(n)
	p := r.Worker("a", failTwice(bad, 0))
	r.AwaitAllCommitted(10*time.Minute, 0, 1, 2, 3, 4, 5)
	stopClean(t, p)
	report := r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
	failures := int64(2 * failing(n, bad))
	if want := int64(n) + failures; int64(report.Runs) != want {
		t.Errorf("%d runs, want %d", report.Runs, want)
	}
	// Each failure was a hold with a deadline, in that partition only. The log keeps
	// the rate of its lines down and says how many it has left out since the last.
	holds := int64(0)
	for _, l := range p.Log() {
		if l.Message != "hold started" {
			continue
		}
		if l.Int("partition") != bad || l.String("reason") != "retry" {
			t.Errorf("a hold that has no reason to be: %s", l.Text)
			continue
		}
		if until := l.At("until"); until.IsZero() || until.Sub(l.Time) > 2*time.Second {
			t.Errorf("a hold until %v at %v", until, l.Time)
		}
		holds += 1 + max(l.Int("suppressed"), 0)
	}
	if holds > failures || holds == 0 {
		t.Errorf("%d holds for %d failures", holds, failures)
	}
	// The history shows them too: with full jitter a pause is 10 ms after the first
	// failure of a unit and 20 ms after the second, on average.
	paused := pauses(r.History(), bad)
	t.Logf("%d failures, %d holds told, %v of pauses", failures, holds, paused)
	if least := time.Duration(failures) * 10 * time.Millisecond; paused < least {
		t.Errorf("%v of pauses after %d failures, want %v at least", paused, failures, least)
	}
}

// pauses adds up the times from a run that failed to the next run of the partition.
func pauses(h *kafkatest.History, partition int32) (sum time.Duration) {
	var failed time.Time
	h.Events(func(e kafkatest.Event) bool {
		switch {
		case e.Input.Partition != partition:
		case e.Kind == kafkatest.KindEnd && e.Outcome == kafkatest.OutcomeFailed:
			failed = e.At
		case e.Kind == kafkatest.KindStart && !failed.IsZero():
			sum += e.At.Sub(failed)
			failed = time.Time{}
		}
		return true
	})
	return sum
}

// The same trouble seen by the neighbours: the five others keep their speed, both
// when the processor is the limit and when the machine is. Where the processor is,
// both members run at the same time, so that a slow machine is slow for both. Where
// the machine is, they would be each other's trouble: one after the other then, and
// only at full scale, because a figure needs seconds to mean something.
func TestAFailingPartitionLeavesTheOthersTheirSpeed(t *testing.T) {
	const bad = 2
	others := []int32{0, 1, 3, 4, 5}
	t.Run("work of their own", func(t *testing.T) {
		r := suite.New(t, rig.Config{OutputConfig: rig.LogAppendTime()})
		r.Pour(scale.N(t, 40_000, 200_000))
		const work = 300 * time.Microsecond
		keptSpeed(t, scale.N(t, 3, 5), func() (quiet, trouble float64) {
			r.Afresh()
			first, group, output := r.Quick("a", rig.Settings{"processor.work": work.String()}), r.Group, r.Output
			r.Afresh()
			second := r.Quick("b", failTwice(bad, work))
			r.AwaitAllCommitted(5*time.Minute, others...)
			trouble = r.AppendSpeed(others...)
			r.Group, r.Output = group, output
			r.AwaitAllCommitted(5*time.Minute, others...)
			quiet = r.AppendSpeed(others...)
			stopClean(t, first, second)
			return quiet, trouble
		})
	})
	t.Run("full speed", func(t *testing.T) {
		if !scale.IsFull(t) {
			t.Skip("measured at full scale")
		}
		r := suite.New(t, rig.Config{OutputConfig: rig.LogAppendTime()})
		r.Pour(1_000_000)
		speed := func(settings rig.Settings) float64 {
			r.Afresh()
			p := r.Quick("a", settings)
			r.AwaitAllCommitted(5*time.Minute, others...)
			stopClean(t, p)
			return r.AppendSpeed(others...)
		}
		keptSpeed(t, 5, func() (quiet, trouble float64) { return speed(nil), speed(failTwice(bad, 0)) })
	})
}

// keptSpeed wants the median of the paired ratios to be 0.9 at least.
func keptSpeed(t *testing.T, pairs int, measure func() (quiet, trouble float64)) {
	t.Helper()
	var ratios []float64
	for range pairs {
		quiet, trouble := measure()
		t.Logf("without failures %.0f/s, beside failures %.0f/s: %.2f", quiet, trouble, trouble/quiet)
		ratios = append(ratios, trouble/quiet)
	}
	slices.Sort(ratios)
	if median := ratios[len(ratios)/2]; median < 0.9 {
		t.Errorf("the others keep %.2f of their speed, want 0.9", median)
	}
}

// failPercent is how many of 100 units of a partition fail.
const failPercent = 6

func failTwice(partition int32, work time.Duration) rig.Settings {
	return rig.Settings{
		"processor.fail.partition": partition, "processor.fail.percent": failPercent, "processor.fail.times": 2,
		"processor.work": work.String(), "pause.initial": "20ms",
	}
}

// failing counts the ids that fail: those of the partition whose last two digits
// are below failPercent.
func failing(n int, partition int32) (count int) {
	for id := 1; id <= n; id++ {
		if int32(id%6) == partition && id%100 < failPercent {
			count++
		}
	}
	return count
}
