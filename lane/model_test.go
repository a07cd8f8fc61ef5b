package lane_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

// model is what a lane promises, written down from outside: from what the
// processor saw, what was reported and what the policy said.
type model struct {
	*world

	goOn chan ending // ends the run that waits

	mu        sync.Mutex
	newest    map[int64]*ran // the newest run of each offset
	pushed    []int64
	seq       int
	size      int // of the newest batch
	busy      bool
	auto      bool                // runs succeed by themselves
	mayStart  bool                // no drain, fence, stop or hold forbids it
	counted   map[int64]int       // failures that count, by the unit's first offset
	notBefore map[int64]time.Time // the end of the back-off
	giveUp    lane.Action         // what follows a failure that counts
	rewound   map[int64]int       // offset of a failed delivery -> seq at that time
}

// ran is one run of an offset. It settles the offset if it was ok and the
// records of the messages below bound were acknowledged.
type ran struct {
	seq     int
	ended   bool
	ok      bool
	skipped bool
	att     *attempt
	bound   int
}

// ending is how the test lets a run end: sends says which messages send, at is
// the index for FailedAt, -1 for none.
type ending struct {
	sends uint
	at    int
	err   error
	skip  bool
	panic bool
}

func newModel(t reporter, start int64) *model {
	m := &model{
		world: newWorld(t), goOn: make(chan ending), newest: map[int64]*ran{}, mayStart: true,
		counted: map[int64]int{}, notBefore: map[int64]time.Time{}, rewound: map[int64]int{},
	}
	m.cfg.Start = start
	m.process = m.runOne
	m.batch = m.runAll
	m.policy.decide = m.decide
	return m
}

func (m *model) runOne(ctx context.Context, msg *processor.Message) error {
	m.started(msg)
	m.mu.Lock()
	if want := m.counted[msg.Offset] + 1; msg.Attempt != want {
		m.t.Errorf("offset %d runs as attempt %d, want %d", msg.Offset, msg.Attempt, want)
	}
	m.mu.Unlock()
	return m.finish(ctx, msg)
}

func (m *model) runAll(ctx context.Context, b *processor.Batch) error {
	m.started(b.Messages...)
	return m.finish(ctx, b.Messages...)
}

// started checks that this run may start, and notes it.
func (m *model) started(msgs ...*processor.Message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	first := msgs[0].Offset
	if !m.mayStart {
		m.t.Errorf("%d starts, but nothing may", first)
	}
	if at := m.notBefore[first]; time.Now().Before(at) {
		m.t.Errorf("%d starts %v before the end of its back-off", first, time.Until(at))
	}
	m.oneAtATime(first)
	m.seq++
	m.size, m.busy = len(msgs), true
	for _, msg := range msgs {
		m.newest[msg.Offset] = &ran{seq: m.seq}
	}
}

// oneAtATime checks that, while a unit whose delivery failed is not settled,
// nothing waits that was started since. Under mu.
func (m *model) oneAtATime(first int64) {
	for k, since := range m.rewound {
		if m.settled(k) {
			delete(m.rewound, k)
			continue
		}
		for o, r := range m.newest {
			if r.seq > since && r.ended && r.ok && r.att != nil && r.att.waits() {
				m.t.Errorf("%d starts while %d waits, though the delivery of %d failed and it is not settled", first, o, k)
			}
		}
	}
}

// finish waits for the test's word, sends, and ends the run.
func (m *model) finish(ctx context.Context, msgs ...*processor.Message) error {
	m.mu.Lock()
	e := ending{sends: ^uint(0), at: -1}
	auto := m.auto
	m.mu.Unlock()
	if !auto {
		e = <-m.goOn
	}
	var att *attempt
	for i, msg := range msgs {
		if e.sends&(1<<i) == 0 {
			continue
		}
		_ = msg.Send(ctx, record(msg.Offset)) // also a refused send counts
		att = m.last(msg.Offset)
	}
	m.ended(e, att, msgs)
	if e.panic {
		panic("as the test says")
	}
	if e.at >= 0 {
		return processor.FailedAt(e.at, e.err)
	}
	return e.err
}

// ended notes the end of a run.
func (m *model) ended(e ending, att *attempt, msgs []*processor.Message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy = false
	ok := len(msgs) // how many are done, if their records are acknowledged
	switch {
	case e.panic, e.err != nil && !e.skip && e.at < 0:
		ok = 0
	case e.at >= 0 && e.skip:
		ok = e.at + 1
	case e.at >= 0:
		ok = e.at
	}
	for i, msg := range msgs {
		r := m.newest[msg.Offset]
		r.ended, r.ok, r.att, r.bound = true, i < ok, att, ok
		if e.at >= 0 && i < e.at {
			r.bound = e.at
		}
	}
}

// settled says whether the newest run of the offset settles it. Under mu.
func (m *model) settled(offset int64) bool {
	r := m.newest[offset]
	switch {
	case r == nil || !r.ended:
		return false
	case r.skipped:
		return true
	case !r.ok:
		return false
	}
	if r.att == nil || r.att.acknowledged() {
		return true
	}
	i := r.att.FailedIndex()
	return !r.att.waits() && i >= r.bound
}

// decide is the policy; it checks what it is asked.
func (m *model) decide(f lane.Failure) lane.Decision {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.newest[f.Offset]; r == nil || !r.ended {
		m.t.Errorf("asked about %d, which has not run to its end", f.Offset)
		return patient(f)
	}
	if f.Verdict.Class == processor.ClassInfrastructure {
		m.rewound[f.Offset] = m.seq
		d := patient(f)
		m.notBefore[f.Offset] = time.Now().Add(d.Wait)
		return d
	}
	m.counted[f.Offset]++
	if m.cfg.BatchProcessor == nil && f.Attempt != m.counted[f.Offset] {
		m.t.Errorf("asked about attempt %d of %d, want %d", f.Attempt, f.Offset, m.counted[f.Offset])
	}
	// A batch that failed as a whole is not given up: its messages run alone.
	alone := f.Messages == 1 || f.Verdict.FailedAt >= 0 && f.Verdict.FailedAt < m.size
	d := lane.Decision{Action: m.giveUp}
	switch m.giveUp {
	case lane.Skip:
		m.newest[f.Offset].skipped = alone
	case lane.Pause:
		m.mayStart = m.mayStart && !alone
	default:
		d = patient(f)
		d.Wait = min(d.Wait, time.Minute)
		m.notBefore[f.Offset] = time.Now().Add(d.Wait)
	}
	return d
}

// check compares the lane, at rest, with the model. from is the position that
// was seen last.
func (m *model) check(from int64, draining, ending bool) (position int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	position = m.lane.Position()
	if position < from {
		return position, fmt.Errorf("position went back from %d to %d", from, position)
	}
	seq := 0
	for _, o := range m.pushed {
		if o >= position {
			break
		}
		if !m.settled(o) {
			return position, fmt.Errorf("position %d is past %d, which is not settled: %+v", position, o, m.newest[o])
		}
		if m.newest[o].seq < seq {
			return position, fmt.Errorf("the newest run of %d is older than that of an earlier offset", o)
		}
		seq = m.newest[o].seq
	}
	underWay := m.busy || len(m.sender.open()) > 0
	if got, want := isClosed(m.lane.Idle()), draining && !underWay; got != want {
		return position, fmt.Errorf("idle is %v, want %v", got, want)
	}
	if h, ok := holdWith(m.lane.Status().Holds, pause.Retry); ok && !ending && !time.Now().Before(h.Until) {
		return position, fmt.Errorf("the lane rests in a hold that is over: %+v", h)
	}
	return position, nil
}
