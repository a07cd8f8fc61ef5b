package consumerset

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

const (
	// pollWait is how long one Poll waits for an event. It is also how long a
	// message in the mailbox may wait, since nothing else ends a Poll.
	pollWait = 50 * time.Millisecond
	// pollWaitBusy takes its place while somebody waits for the member: at a stop,
	// and where messages come by Poll and feeds wait to be resumed.
	pollWaitBusy = 10 * time.Millisecond
	// pollBurst is how many events are taken before the mailbox is looked at.
	pollBurst = 500
	// wakeEvery is the time between two unprompted reads of every feed, a cheap
	// insurance against a wake-up that got lost.
	wakeEvery = 5 * time.Second
)

// Member is one client in the group.
type Member struct {
	// Set at construction.
	cfg   Config
	name  string
	index int
	lanes *registry
	open  func(cfg Config, index int) (opened, error)
	box   *mailbox
	ended chan struct{} // closed when Run has returned
	// drained is closed when nothing is under way and all is committed; hurry when
	// a callback must not wait any longer.
	drained, hurry chan struct{}
	hurryOnce      sync.Once

	// Owned by the member's goroutine; by the one that closes the client after the
	// loop has ended.
	client   client
	source   source
	endLogs  func()
	protocol string // of the last callback: EAGER or COOPERATIVE
	slots    map[processor.Partition]*slot
	pending  map[processor.Partition]*pending
	epochs   map[processor.Partition]int64
	asking   int // calls of the client that are under way beside the loop
	askAt    time.Time
	answers  []answered // to be assigned when no callback runs
	inside   bool       // a callback runs
	commit   committer
	hooks    hookChain
	errs     limiter
	suspects bool // an error without a partition said that one is out of range
	lostAt   time.Time
	wakeAt   time.Time
	stop     stopping
	failure  error
	troubles map[string]bool // reasons that Unhealthy was told of
	topicsAt time.Time       // when the topics are looked for again
	stats    clientStats

	// Shared.
	begun, running atomic.Bool  // Run was called; the client was made
	polled         atomic.Int64 // when Poll returned last, Unix nanoseconds
	view           view
}

func newMember(cfg Config, index int, lanes *registry) *Member {
	m := &Member{
		cfg: cfg, name: cfg.memberName(index), index: index, lanes: lanes, open: open,
		box:     newMailbox(),
		ended:   make(chan struct{}),
		drained: make(chan struct{}),
		hurry:   make(chan struct{}),
		slots:   map[processor.Partition]*slot{},
		pending: map[processor.Partition]*pending{},
		epochs:  map[processor.Partition]int64{},

		troubles: map[string]bool{},
	}
	m.view.groupIdle = -1
	m.hooks.ending = make(chan struct{})
	m.hooks.failed = func(name string, cause error) {
		m.emit(event.HookFailed{Member: m.name, Hook: name, Cause: cause})
		if name == "OnAssigned" {
			m.box.post(func() { m.unwell(ReasonHook, cause) })
		}
	}
	return m
}

// Run joins the group and blocks until Close has ended the member (nil), until it
// fails by itself (*MemberError, *ClientSetupError), or until ctx ends, which is a
// Close without a drain. It is called once.
func (m *Member) Run(ctx context.Context) error {
	defer close(m.ended)
	m.begun.Store(true)
	m.view.setState(Joining)
	o, err := m.open(m.cfg, m.index)
	if err != nil {
		m.failure = err
		m.move(Failed)
		m.cfg.Failed(err)
		return err
	}
	m.client, m.source, m.endLogs = o.client, o.source, o.ended
	m.running.Store(true)
	if err := m.client.SubscribeTopics(m.cfg.Topics, m.onRebalance); err != nil {
		m.fail(fmt.Errorf("subscribe: %w", err))
	}
	m.loop(ctx)
	m.shut() //nolint:contextcheck // hooks have deadlines of their own: OnRevoked runs after the end of ctx
	return m.failure
}

func (m *Member) loop(ctx context.Context) {
	for m.failure == nil && !m.stop.closing {
		if ctx.Err() != nil {
			m.stop.closing, m.stop.deadline = true, time.Now().Add(closeMin)
			return
		}
		m.poll()
		m.box.serve()
		now := time.Now()
		m.tick(now) //nolint:contextcheck // as above
	}
}

// poll takes what the client has: one event, and then as many as there are.
func (m *Member) poll() {
	wait := pollWait
	if m.stop.draining || m.source.kind() == FeedPoll {
		wait = pollWaitBusy
	}
	for range pollBurst {
		ev := m.client.Poll(int(wait.Milliseconds()))
		if wait > 0 { // the others follow at once
			m.polled.Store(time.Now().UnixNano())
		}
		if ev == nil || m.failure != nil {
			return
		}
		m.handle(ev)
		wait = 0
	}
}

func (m *Member) handle(ev kafka.Event) {
	switch e := ev.(type) {
	case *kafka.Message:
		if err := m.source.message(e); err != nil {
			m.fail(err)
		}
	case kafka.Error:
		m.onError(e)
	case *kafka.Stats:
		m.onStats(e.String())
	case kafka.OAuthBearerTokenRefresh:
		m.onError(kafka.NewError(kafka.ErrAuthentication, "a token is asked for, and there is no provider", false))
	}
}

// tick does what is due.
func (m *Member) tick(now time.Time) {
	if m.failure != nil {
		return
	}
	if err := m.source.tick(); err != nil {
		m.fail(fmt.Errorf("resume: %w", err))
		return
	}
	m.assignAnswers(now)
	m.askPending(now)
	m.tickCommit(now)
	m.tickDrain(now)
	m.checkExpelled(now)
	m.checkTopics(now)
	for _, r := range m.errs.due(now) {
		m.emit(event.ClientError{Client: m.name, Code: r.code, Count: r.count, Cause: r.cause})
	}
	if now.Sub(m.wakeAt) >= wakeEvery {
		m.wakeAt = now
		m.source.wakeAll()
	}
}

// await serves the mailbox until ready is true, and tells whether it was before the
// deadline. wake, if not nil, is a reason to look again. It is how a callback waits.
func (m *Member) await(deadline time.Time, wake <-chan struct{}, ready func() bool) bool {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	hurry := m.hurry
	if m.stop.closing {
		hurry = nil // it is Close itself that waits, inside its own deadline
	}
	for !ready() {
		select {
		case <-wake:
			wake = nil
		case <-m.box.ready:
			m.box.serve()
		case <-timer.C:
			return ready()
		case <-hurry:
			return ready()
		}
	}
	return true
}

func (m *Member) emit(e event.Event) { m.cfg.Events(time.Now(), e) }

// move changes the state. A move that is not legal is our own mistake.
func (m *Member) move(to State) {
	from := m.view.state()
	if from == to {
		return
	}
	if !from.CanMove(to) {
		panic(fmt.Sprintf("member moves from %s to %s", from, to))
	}
	m.view.setState(to)
	m.emit(event.MemberState{Member: m.name, From: from.String(), To: to.String()})
}

// fail ends the member: the loop looks at failure after every event.
func (m *Member) fail(cause error) {
	if m.failure != nil {
		return
	}
	m.failure = &MemberError{m.name, cause}
	m.move(Failed)
	m.fenceAll(cause)
	m.cfg.Failed(m.failure)
}

// fatal tells whether the client itself has given up: it must not be closed then,
// because Close would never return.
func (m *Member) fatal() bool { return errors.Is(m.failure, ErrFatal) }
