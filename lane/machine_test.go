package lane_test

import (
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

// machine moves a lane at random; the model says what is right.
type machine struct {
	*model

	next     int64 // the lowest offset that was not pushed
	position int64
	draining bool
	ending   bool // fenced or stopped
	fenced   bool
	slotGone bool // another lane has it
}

func TestLaneKeepsItsPromisesWhateverHappens(t *testing.T) {
	for name, batches := range map[string]bool{"messages": false, "batches": true} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				rapid.SyncTest(t, func(t *rapid.T) { moveAtRandom(t, batches) })
			})
		})
	}
}

func moveAtRandom(t *rapid.T, batches bool) {
	start := rapid.Int64Range(0, 3).Draw(t, "start")
	m := &machine{model: newModel(t, start), next: start, position: start}
	m.cfg.MaxOutstanding = rapid.SampledFrom([]int{1, 2, 5, 1000}).Draw(t, "max outstanding")
	if batches {
		m.batches(lane.BatchLimits{MaxMessages: rapid.IntRange(1, 5).Draw(t, "batch")})
	}
	m.start()
	defer m.leave()
	actions := map[string]func(*rapid.T){
		"push":    m.pushSome,
		"work":    m.endRuns,
		"report":  m.reportSome,
		"pass":    m.passSome,
		"flow":    func(t *rapid.T) { m.pushSome(t); m.endRuns(t); m.reportSome(t); m.endRuns(t); m.reportSome(t) },
		"disturb": func(t *rapid.T) { rapid.SampledFrom(m.disturbances()).Draw(t, "how").do(t) },
		"":        m.verify,
	}
	for range 3 { // longer than the flags' default, so that failures meet each other
		t.Repeat(actions)
	}
	m.drainOrLeave(t)
	t.Repeat(actions)
	m.complete(t)
}

// passSome lets time pass; what was held back comes back meanwhile, mostly.
func (m *machine) passSome(t *rapid.T) {
	if rapid.SampledFrom([]bool{true, true, false}).Draw(t, "give back") {
		if m.slotGone {
			m.takeOrGiveSlot(t)
		}
		m.hold(false)
	}
	m.pass(time.Duration(rapid.SampledFrom([]int{1000, 5000, 60000, 500, 1}).Draw(t, "ms")) * time.Millisecond)
}

// disturbance is what happens more rarely.
type disturbance struct {
	name string
	do   func(t *rapid.T)
}

// String is what a failing check prints.
func (d disturbance) String() string { return d.name }

func (m *machine) disturbances() []disturbance {
	return []disturbance{
		{"inside", m.resolveInsideEnd},
		{"again", m.pushAgain},
		{"policy", m.changePolicy},
		{"operator", m.operate},
		{"slot", m.takeOrGiveSlot},
	}
}

func (m *machine) verify(t *rapid.T) {
	synctest.Wait()
	position, err := m.check(m.position, m.draining, m.ending)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if m.fenced && position != m.position {
		t.Fatalf("position moved from %d to %d after the fence", m.position, position)
	}
	m.position = position
}

func (m *machine) give(t *rapid.T, offset, upTo int64) {
	for offset < upTo {
		m.feed.push(message(offset))
		if offset >= m.next {
			m.mu.Lock()
			m.pushed = append(m.pushed, offset)
			m.mu.Unlock()
			m.next = offset + 1
		}
		offset += rapid.SampledFrom([]int64{1, 1, 1, 4}).Draw(t, "step")
	}
}

func (m *machine) pushSome(t *rapid.T) {
	m.give(t, m.next, m.next+rapid.Int64Range(1, 8).Draw(t, "offsets"))
}

// pushAgain hands out offsets that were handed out before, and maybe more. What
// was compacted away before does not come back.
func (m *machine) pushAgain(t *rapid.T) {
	if len(m.pushed) == 0 {
		t.Skip("nothing was pushed")
	}
	from := rapid.IntRange(0, len(m.pushed)-1).Draw(t, "from")
	m.feed.push(messages(m.pushed[from:]...)...)
	if rapid.Bool().Draw(t, "and more") {
		m.pushSome(t)
	}
}

// endRuns ends the running attempt, and some that follow it.
func (m *machine) endRuns(t *rapid.T) {
	for range rapid.IntRange(1, 8).Draw(t, "runs") {
		m.mu.Lock()
		busy, size := m.busy, m.size
		m.mu.Unlock()
		if !busy {
			return
		}
		m.goOn <- drawEnding(t, size)
		m.verify(t)
	}
}

func drawEnding(t *rapid.T, size int) ending {
	e := ending{at: -1, sends: ^uint(rapid.IntRange(0, 1<<size-1).Draw(t, "silent"))}
	switch rapid.SampledFrom([]string{"ok", "ok", "ok", "ok", "error", "permanent", "skip", "panic"}).Draw(t, "result") {
	case "error":
		e.err = errBoom
	case "permanent":
		e.err = processor.DeadLetter(errBoom)
	case "skip":
		e.err, e.skip = processor.Skip(errBoom), true
	case "panic":
		e.panic = true
	}
	if e.err != nil && size > 1 && rapid.Bool().Draw(t, "in part") {
		e.at = rapid.IntRange(0, size-1).Draw(t, "failed at")
	}
	return e
}

// reportSome resolves some of the attempts that are open, in any order.
func (m *machine) reportSome(t *rapid.T) {
	for range rapid.IntRange(1, 5).Draw(t, "reports") {
		open := m.sender.open()
		if len(open) == 0 {
			return
		}
		open[rapid.IntRange(0, len(open)-1).Draw(t, "attempt")].resolve(drawReport(t))
		m.verify(t)
	}
}

func drawReport(t *rapid.T) (index int, err error) {
	switch rapid.SampledFrom([]string{"ok", "ok", "ok", "ok", "trouble", "refused"}).Draw(t, "report") {
	case "trouble":
		return rapid.IntRange(0, 4).Draw(t, "index"), errBroker
	case "refused":
		return rapid.IntRange(0, 4).Draw(t, "index"), &deliveryError{processor.ClassTransient, "refused"}
	}
	return -1, nil
}

func (m *machine) resolveInsideEnd(t *rapid.T) {
	var resolve func(*attempt)
	if rapid.Bool().Draw(t, "inside") {
		index, err := drawReport(t)
		resolve = func(a *attempt) { a.resolve(index, err) }
	}
	m.sender.mu.Lock()
	m.sender.atOnce = resolve
	m.sender.mu.Unlock()
}

func (m *machine) changePolicy(t *rapid.T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.giveUp = rapid.SampledFrom([]lane.Action{lane.Retry, lane.Skip, lane.Pause}).Draw(t, "give up")
}

func (m *machine) operate(t *rapid.T) { m.hold(rapid.Bool().Draw(t, "hold")) }

// hold holds the lane as an operator does, or releases what was held or given up.
func (m *machine) hold(hold bool) {
	m.mu.Lock()
	m.mayStart = !hold && !m.draining && !m.ending
	m.mu.Unlock()
	if hold {
		m.lane.Hold(pause.Hold{Reason: pause.Operator})
		return
	}
	m.lane.Release(pause.Paused)
	m.lane.Release(pause.Operator)
}

func (m *machine) takeOrGiveSlot(t *rapid.T) {
	if m.slotGone {
		m.slots.free <- struct{}{}
		m.slotGone = false
		return
	}
	select {
	case <-m.slots.free:
		m.slotGone = true
	default:
		t.Skip("the lane has the slot")
	}
}

func (m *machine) drainOrLeave(t *rapid.T) {
	what := rapid.SampledFrom([]string{"", "drain", "fence", "stop"}).Draw(t, "how")
	if what == "" {
		return
	}
	m.mu.Lock()
	m.mayStart = false
	m.mu.Unlock()
	switch what {
	case "drain":
		m.draining = true
		m.lane.Drain()
	case "stop":
		m.ending = true
		m.lane.Stop()
	case "fence":
		m.ending, m.fenced = true, true
		m.lane.Fence(errFenced)
	}
}

// complete lets everything succeed from here, and looks at what comes of it.
func (m *machine) complete(t *rapid.T) {
	if m.slotGone {
		m.takeOrGiveSlot(t)
	}
	m.mu.Lock()
	m.giveUp, m.auto = lane.Retry, true
	m.mayStart = !m.draining && !m.ending
	busy := m.busy
	m.mu.Unlock()
	if busy {
		m.goOn <- ending{at: -1}
	}
	synctest.Wait()
	m.sender.settle()
	m.lane.Release(pause.Operator)
	m.lane.Release(pause.Paused)
	for range 3 { // back-offs, and the last batch
		m.pass(time.Hour)
		m.verify(t)
	}
	switch {
	case m.ending:
		if !isClosed(m.lane.Done()) {
			t.Fatalf("the lane has not returned")
		}
	case !m.draining:
		if m.position != max(m.next, m.cfg.Start) {
			t.Fatalf("position = %d, want %d: %+v", m.position, m.next, m.lane.Status())
		}
	}
}

// leave ends the lane, also when the check has failed half-way.
func (m *machine) leave() {
	m.mu.Lock()
	m.auto, m.mayStart = true, false
	m.mu.Unlock()
	m.lane.Fence(errFenced)
	select {
	case m.goOn <- ending{at: -1}:
	case <-m.lane.Done():
	case <-time.After(time.Second):
	}
	m.end()
}
