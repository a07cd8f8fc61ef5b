package scenario_test

import (
	"slices"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest"
	"github.com/pitlane-go/pitlane/kafkatest/scale"
	"github.com/pitlane-go/pitlane/scenario/rig"
)

// F11: one message fails whatever is tried. A consumer that seeks back to it reads
// the partition again and again at full speed, and one that retries in its poll
// loop stands still as a whole. Here that partition waits, longer each time and as
// the log says; the others do not notice; and once the message is mended the
// partition goes on where it stood, in order.
func TestAMessageThatAlwaysFailsHoldsItsPartitionOnly(t *testing.T) {
	n := scale.N(t, 9_000, 24_000)
	var shares []float64
	for range scale.N(t, 1, 3) {
		shares = append(shares, failingHead(t, n))
	}
	slices.Sort(shares)
	if got := shares[len(shares)/2]; got < 0.9 {
		t.Errorf("the other partitions kept %.2f of their speed, want 0.9", got)
	}
}

// failingHead runs two members beside each other, one of them with the trouble,
// and returns the speed of its other partitions as a share of the speed of the
// same partitions of the other one.
func failingHead(t *testing.T, n int) (share float64) {
	t.Helper()
	good, bad := suite.New(t, rig.Config{}), suite.New(t, rig.Config{})
	good.Fill(n)
	bad.Fill(n)
	mended := bad.Path("mended")
	untroubled := good.Worker("untroubled", rig.Settings{"processor.work": "4ms"})
	p := bad.Worker("troubled", rig.Settings{
		"processor.work": "4ms", "processor.poison": 61, "processor.mended": mended,
		"pause.initial": "1s", "pause.max": "4s", "pause.jitter": 0,
	})
	limit := scale.D(t, time.Minute, 5*time.Minute)
	for _, partition := range others {
		good.AwaitCommittedAt(partition, int64(n/6), limit)
		bad.AwaitCommittedAt(partition, int64(n/6), limit)
	}
	p.Await("the fourth hold", time.Minute, func(l rig.Line) bool { return held(l, 1, "retry") && l.Int("attempt") >= 4 })
	if got := bad.Committed(1); got != 10 {
		t.Errorf("committed offset of the partition that holds: %d, want 10", got)
	}
	create(t, mended)
	bad.AwaitCommitted(limit) // its messages take as long again as those of the others
	good.AwaitCommitted(limit)
	stopClean(t, p, untroubled)
	keepsItsWord(t, p, 61)
	for _, r := range []*rig.Rig{good, bad} {
		r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
	}
	with, without := p.Speed(others...), untroubled.Speed(others...)
	t.Logf("%.0f messages/s beside the failing partition, %.0f without it: %.3f", with, without, with/without)
	return with / without
}

// keepsItsWord checks the holds of a message (jitter 0, from 1 s up to 4 s): each
// is as long as its attempt asks for, and the next run begins when it is over.
func keepsItsWord(t *testing.T, p *rig.Process, id int64) {
	t.Helper()
	runs := p.RunsOf(id)
	holds := holdsOf(p, 1, "retry")
	if len(holds) != len(runs)-1 {
		t.Errorf("%d holds and %d runs, want one run more", len(holds), len(runs))
	}
	for i, l := range holds[:min(len(holds), len(runs)-1)] {
		attempt := l.Int("attempt")
		if attempt != int64(i+1) || l.Int("offset") != 10 || l.String("error") == "" {
			t.Errorf("hold %d: %s", i+1, l.Text)
		}
		want := min(time.Second<<i, 4*time.Second)
		until := l.At("until")
		if got := until.Sub(l.Time); got < want-time.Millisecond || got > want+time.Millisecond {
			t.Errorf("hold %d is %v long, want %v", i+1, got, want)
		}
		next := runs[i+1].At
		if next.Before(until) || next.After(until.Add(time.Second)) {
			t.Errorf("hold %d was said to end at %v, the next run began at %v", i+1, until, next)
		}
	}
}

// A back-off of an hour costs nothing but its partition: not the one slot that
// the process has, and not the stop, which is clean in the middle of it. The next
// process tries at once.
func TestALongBackOffKeepsNeitherTheOthersNorTheStopWaiting(t *testing.T) {
	r := suite.New(t, rig.Config{})
	r.Fill(600)
	p := r.Worker("holds", rig.Settings{
		"processor.poison": 61, "concurrency": 1, "pause.initial": "1h", "pause.max": "1h", "pause.jitter": 0,
	})
	p.Await("the hold", time.Minute, func(l rig.Line) bool { return held(l, 1, "retry") })
	r.Fill(600)
	for _, partition := range others {
		r.AwaitCommittedAt(partition, 200, time.Minute)
	}
	stopClean(t, p)
	if got := r.Committed(1); got != 10 {
		t.Errorf("committed offset of the partition that holds: %d, want 10", got)
	}
	next := r.Worker("tries-at-once", nil)
	r.AwaitCommitted(time.Minute)
	stopClean(t, next)
	r.Check(kafkatest.Options{Duplicates: kafkatest.DuplicatesNone})
}
