package consumerset

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/processor"
)

// fakeClient is a client without a broker: tests push callbacks and errors into its
// Poll and read the calls that the member made.
type fakeClient struct {
	inbox    chan func(c *fakeClient) kafka.Event // capacity: more than any test pushes
	protocol string

	mu        sync.Mutex
	calls     []string
	assigned  map[processor.Partition]int64
	offsets   map[processor.Partition]int64 // what Committed answers; absent: no answer
	first     int64                         // what OffsetsForTimes answers
	lost      bool
	stored    map[processor.Partition]int64
	committed map[processor.Partition]int64 // by the last commit; an unassign leaves it
	storeErr  map[processor.Partition]error
	assignErr error
	commitErr error
	refused   map[processor.Partition]error // by the answer to a commit
	hold      chan struct{}                 // Commit waits for it, if not nil
	flying    int
	overlap   bool
	closed    bool
	cb        kafka.RebalanceCb
	group     *fakeGroup // what judges commits, if not nil
}

func newFakeClient(protocol string) *fakeClient {
	return &fakeClient{
		inbox: make(chan func(*fakeClient) kafka.Event, 1000), protocol: protocol,
		assigned: map[processor.Partition]int64{}, offsets: map[processor.Partition]int64{},
		stored: map[processor.Partition]int64{}, storeErr: map[processor.Partition]error{},
		refused: map[processor.Partition]error{},
	}
}

func part(n int32) processor.Partition { return processor.Partition{Topic: "in", Partition: n} }

func parts(ns ...int32) []kafka.TopicPartition {
	var ps []processor.Partition
	for _, n := range ns {
		ps = append(ps, part(n))
	}
	return topicPartitions(ps)
}

func (c *fakeClient) assign(ns ...int32) {
	c.inbox <- func(c *fakeClient) kafka.Event {
		_ = c.cb(nil, kafka.AssignedPartitions{Partitions: parts(ns...)})
		return nil
	}
}

func (c *fakeClient) revoke(ns ...int32) {
	c.inbox <- func(c *fakeClient) kafka.Event {
		_ = c.cb(nil, kafka.RevokedPartitions{Partitions: parts(ns...)})
		return nil
	}
}

func (c *fakeClient) push(e kafka.Event) {
	c.inbox <- func(*fakeClient) kafka.Event { return e }
}

func (c *fakeClient) message(n int32, offset int64) {
	tp := topicPartition(part(n), offset)
	c.push(&kafka.Message{TopicPartition: tp, Value: []byte("x")})
}

// wide pushes a message of 1 KiB.
func (c *fakeClient) wide(n int32, offset int64) {
	c.push(&kafka.Message{TopicPartition: topicPartition(part(n), offset), Value: make([]byte, 1<<10)})
}

func (c *fakeClient) set(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
}

func (c *fakeClient) note(format string, args ...any) {
	c.calls = append(c.calls, fmt.Sprintf(format, args...))
}

func (c *fakeClient) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.calls)
}

func (c *fakeClient) count(call string) (n int) {
	for _, x := range c.all() {
		if x == call {
			n++
		}
	}
	return n
}

func (c *fakeClient) Poll(timeoutMs int) kafka.Event {
	if c.isClosed() {
		panic("poll of a closed client")
	}
	select {
	case f := <-c.inbox:
		return f(c)
	default:
	}
	if timeoutMs == 0 {
		return nil
	}
	t := time.NewTimer(time.Duration(timeoutMs) * time.Millisecond)
	defer t.Stop()
	select {
	case f := <-c.inbox:
		return f(c)
	case <-t.C:
		return nil
	}
}

func (c *fakeClient) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

func (c *fakeClient) SubscribeTopics(_ []string, cb kafka.RebalanceCb) error {
	c.cb = cb
	return nil
}

func (c *fakeClient) GetRebalanceProtocol() string { return c.protocol }

func (c *fakeClient) AssignmentLost() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

func text(ps []kafka.TopicPartition) string {
	var out []string
	for _, p := range ps {
		out = append(out, fmt.Sprintf("%d@%d", p.Partition, p.Offset))
	}
	slices.Sort(out)
	return fmt.Sprint(out)
}

func numbers(ps []kafka.TopicPartition) string {
	var out []int
	for _, p := range ps {
		out = append(out, int(p.Partition))
	}
	slices.Sort(out)
	return fmt.Sprint(out)
}

func (c *fakeClient) Assign(ps []kafka.TopicPartition) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note("Assign %s", text(ps))
	if c.assignErr == nil {
		clear(c.assigned)
		for _, p := range ps {
			c.assigned[partitionOf(p)] = int64(p.Offset)
		}
	}
	return c.assignErr
}

func (c *fakeClient) Unassign() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note("Unassign")
	clear(c.assigned)
	clear(c.stored)
	return nil
}

func (c *fakeClient) IncrementalAssign(ps []kafka.TopicPartition) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note("IncrementalAssign %s", text(ps))
	if c.assignErr == nil {
		for _, p := range ps {
			c.assigned[partitionOf(p)] = int64(p.Offset)
		}
	}
	return c.assignErr
}

func (c *fakeClient) IncrementalUnassign(ps []kafka.TopicPartition) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note("IncrementalUnassign %s", numbers(ps))
	for _, p := range ps {
		if _, ok := c.assigned[partitionOf(p)]; !ok {
			return kafka.NewError(kafka.ErrInvalidArg, "not assigned", false)
		}
		delete(c.assigned, partitionOf(p))
		delete(c.stored, partitionOf(p))
	}
	return nil
}

func (c *fakeClient) Pause(ps []kafka.TopicPartition) error {
	c.set(func() { c.note("Pause %s", numbers(ps)) })
	return nil
}

func (c *fakeClient) Resume(ps []kafka.TopicPartition) error {
	c.set(func() { c.note("Resume %s", numbers(ps)) })
	return nil
}

func (c *fakeClient) StoreOffsets(ps []kafka.TopicPartition) ([]kafka.TopicPartition, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, p := range ps {
		if err := c.storeErr[partitionOf(p)]; err != nil {
			ps[i].Error = err
			continue
		}
		c.stored[partitionOf(p)] = int64(p.Offset)
	}
	return ps, nil
}

func (c *fakeClient) Commit() ([]kafka.TopicPartition, error) {
	c.mu.Lock()
	c.flying++
	c.overlap = c.overlap || c.flying > 1
	hold := c.hold
	c.note("Commit")
	frozen, group := maps.Clone(c.stored), c.group
	if group != nil {
		group.sent()
	}
	c.mu.Unlock()
	if hold != nil {
		<-hold
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flying--
	if c.commitErr != nil {
		return nil, c.commitErr
	}
	if group != nil {
		if err := group.answer(frozen); err != nil {
			return nil, err
		}
	}
	c.committed = frozen
	var out []kafka.TopicPartition
	for p, o := range frozen {
		tp := topicPartition(p, o)
		tp.Error = c.refused[p]
		out = append(out, tp)
	}
	return out, nil
}

func (c *fakeClient) Committed(ps []kafka.TopicPartition, _ int) ([]kafka.TopicPartition, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note("Committed %s", numbers(ps))
	for i, p := range ps {
		if o, ok := c.offsets[partitionOf(p)]; ok {
			ps[i].Offset = kafka.Offset(o)
		} else {
			ps[i].Error = kafka.NewError(kafka.ErrNotCoordinator, "moved", false)
		}
	}
	return ps, nil
}

func (c *fakeClient) OffsetsForTimes(ps []kafka.TopicPartition, _ int) ([]kafka.TopicPartition, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range ps {
		ps[i].Offset = kafka.Offset(c.first)
	}
	return ps, nil
}

func (c *fakeClient) GetMetadata(*string, bool, int) (*kafka.Metadata, error) {
	return nil, errors.New("no metadata here")
}

func (c *fakeClient) Close() error {
	c.mu.Lock()
	var ps []kafka.TopicPartition
	for p := range c.assigned {
		ps = append(ps, topicPartition(p, 0))
	}
	cb := c.cb
	c.note("Close")
	c.mu.Unlock()
	if len(ps) > 0 {
		_ = cb(nil, kafka.RevokedPartitions{Partitions: ps})
	}
	c.set(func() { c.closed = true })
	return nil
}

// fakeLane settles what a test says.
type fakeLane struct {
	a          Assignment
	mu         sync.Mutex
	position   int64
	fenced     error
	busy       bool // a running attempt that does not end by itself
	hangs      bool // nor by its context
	draining   bool
	idle, done chan struct{}
	once       sync.Once
}

func (l *fakeLane) Run() { <-l.done }

func (l *fakeLane) Position() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.position
}

func (l *fakeLane) settle(to int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.position = to
}

func (l *fakeLane) Drain() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.draining {
		l.draining = true
		if !l.busy {
			close(l.idle)
		}
	}
}

func (l *fakeLane) Idle() <-chan struct{} { return l.idle }
func (l *fakeLane) Done() <-chan struct{} { return l.done }
func (l *fakeLane) finish()               { l.once.Do(func() { close(l.done) }) }

func (l *fakeLane) Stop() {
	l.mu.Lock()
	hangs := l.hangs
	l.mu.Unlock()
	if !hangs {
		l.finish()
	}
}

func (l *fakeLane) become(busy, hangs bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy, l.hangs = busy, hangs
}

func (l *fakeLane) isHanging() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.hangs
}

func (l *fakeLane) Fence(cause error) {
	l.mu.Lock()
	l.fenced = cause
	l.mu.Unlock()
	l.Stop()
}

func (l *fakeLane) fencedBy() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fenced
}

// bench is a member over a fake client, inside a synctest bubble.
type bench struct {
	t      *testing.T
	client *fakeClient
	member *Member
	err    chan error

	mu     sync.Mutex
	lanes  map[processor.Partition]*fakeLane // the latest
	events []event.Event
}

func newBench(t *testing.T, protocol string, change func(*Config)) *bench {
	t.Helper()
	b := &bench{t: t, client: newFakeClient(protocol), err: make(chan error, 1), lanes: map[processor.Partition]*fakeLane{}}
	cfg := Config{
		Brokers: []string{"none"}, Group: "g", Topics: []string{"in"}, ClientID: "m",
		StartLane: b.startLane,
		Events: func(_ time.Time, e event.Event) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.events = append(b.events, e)
		},
	}
	if change != nil {
		change(&cfg)
	}
	cfg = cfg.withDefaults()
	b.member = newMember(cfg, 0, newRegistry())
	b.member.open = func(Config, int) (opened, error) {
		return opened{b.client, newPollSource(b.client, cfg.feedBytes()), func() {}}, nil
	}
	go func() { b.err <- b.member.Run(context.Background()) }()
	return b
}

func (b *bench) startLane(a Assignment) Lane {
	l := &fakeLane{a: a, position: a.Start, idle: make(chan struct{}), done: make(chan struct{})}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lanes[a.Source.Partition] = l
	return l
}

func (b *bench) lane(n int32) *fakeLane {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lanes[part(n)]
}

func has[E event.Event](b *bench, match func(E) bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.events, func(e event.Event) bool {
		x, ok := e.(E)
		return ok && match(x)
	})
}

// close ends the member in order.
func (b *bench) close() MemberResult {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	r := b.member.Close(ctx)
	if err := <-b.err; err != nil {
		b.t.Errorf("run: %v", err)
	}
	b.client.mu.Lock()
	defer b.client.mu.Unlock()
	if b.client.overlap {
		b.t.Error("two commits were in flight")
	}
	return r
}
