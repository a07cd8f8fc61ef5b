package scenario_test

import (
	"slices"
	"testing"
	"time"

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
	r.Pour(n)
	p := r.Quick("a", failTwice(bad, 0))
	r.AwaitAllCommitted(10*time.Minute, 0, 1, 2, 3, 4, 5)
	stopClean(t, p)
	diff := r.Diff()
	t.Log(diff)
	if err := diff.Err(0); err != nil {
		t.Error(err)
	}
	// Each failure is a hold with a deadline. The log keeps the rate of its lines
	// down and says how many it left out.
	failures, holds := int64(2*failing(n, bad)), int64(0)
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
	t.Logf("%d failures, %d holds told", failures, holds)
	// What was left out after the last line is told by none.
	if holds > failures || holds < failures*9/10 {
		t.Errorf("%d holds for %d failures", holds, failures)
	}
}

// The same trouble seen by the neighbours: the five others keep their speed, both
// when the machine is the limit and when the processor is.
func TestAFailingPartitionLeavesTheOthersTheirSpeed(t *testing.T) {
	const bad = 2
	others := []int32{0, 1, 3, 4, 5}
	for _, c := range []struct {
		name        string
		work        time.Duration
		short, full int
	}{
		{"at full speed", 0, 200_000, 1_000_000},
		{"with work of its own", 300 * time.Microsecond, 40_000, 200_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := suite.New(t, rig.Config{OutputConfig: rig.LogAppendTime()})
			r.Pour(scale.N(t, c.short, c.full))
			speed := func(settings rig.Settings) float64 {
				r.Afresh()
				p := r.Quick("a", settings)
				r.AwaitAllCommitted(5*time.Minute, others...)
				stopClean(t, p)
				return r.AppendSpeed(others...)
			}
			var ratios []float64
			for range scale.N(t, 3, 5) {
				quiet := speed(rig.Settings{"processor.work": c.work.String()})
				trouble := speed(failTwice(bad, c.work))
				t.Logf("without failures %.0f/s, beside failures %.0f/s: %.2f", quiet, trouble, trouble/quiet)
				ratios = append(ratios, trouble/quiet)
			}
			slices.Sort(ratios)
			if median := ratios[len(ratios)/2]; median < 0.9 {
				t.Errorf("the others keep %.2f of their speed, want 0.9", median)
			}
		})
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
