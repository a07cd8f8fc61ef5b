package lane_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

var source = event.Source{
	Member: "m1", Partition: processor.Partition{Topic: "uploads", Partition: 3}, Epoch: 7,
}

var (
	errBoom   = errors.New("boom")
	errFenced = errors.New("partition lost")
	errBroker = &deliveryError{processor.ClassInfrastructure, "delivery timed out"}
)

// reporter is a *testing.T or a *rapid.T.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// world is a lane with everything around it, inside a bubble.
type world struct {
	t      reporter
	feed   *feed
	sender *sender
	policy *policy
	slots  *slots
	cfg    lane.Config
	lane   *lane.Lane

	// process is what the processor does, batch what the batch processor does;
	// both send one record per message unless the test says otherwise.
	process func(ctx context.Context, m *processor.Message) error
	batch   func(ctx context.Context, b *processor.Batch) error

	mu      sync.Mutex
	runs    []string // "5#2": offset 5, attempt 2; "5-7#1": a batch
	running int
	events  []event.Event
	stopped []error
}

// bubble runs the test in a bubble with a world of its own. Nothing may be left
// running at its end.
func bubble(t *testing.T, body func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.end()
		body(w)
	})
}

func newWorld(t reporter) *world {
	w := &world{
		t: t, feed: newFeed(), sender: &sender{}, policy: &policy{decide: patient}, slots: newSlots(1),
		process: sendOne, batch: sendAll,
	}
	w.cfg = lane.Config{
		Source: source, Feed: w.feed, Sender: w.sender, Policy: w.policy, Slots: w.slots,
		Processor: processor.Func(w.run),
		Events:    w.event,
		Stopped: func(cause error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.stopped = append(w.stopped, cause)
		},
	}
	return w
}

// batches makes the lane run batches.
func (w *world) batches(limits lane.BatchLimits) {
	w.cfg.Processor, w.cfg.Batch = nil, limits
	w.cfg.BatchProcessor = processor.BatchFunc(w.runBatch)
}

// start makes the lane and runs it.
func (w *world) start() {
	w.lane = lane.New(w.cfg)
	go w.lane.Run()
	synctest.Wait()
}

// push gives messages with these offsets to the feed, and lets the lane work.
func (w *world) push(offsets ...int64) {
	w.feed.push(messages(offsets...)...)
	synctest.Wait()
}

// pass lets time pass.
func (w *world) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// end fences the lane and resolves what is open. Then the lane has returned.
func (w *world) end() {
	if w.lane == nil {
		return
	}
	w.lane.Fence(errFenced)
	w.sender.settle()
	synctest.Wait()
	if !isClosed(w.lane.Done()) {
		w.t.Errorf("the lane has not returned after the fence")
	}
	if n := w.slots.inUse.Load(); n != 0 {
		w.t.Errorf("%d slots are in use at the end", n)
	}
}

func (w *world) run(ctx context.Context, m *processor.Message) error {
	defer w.begin(fmt.Sprintf("%d#%d", m.Offset, m.Attempt))()
	return w.process(ctx, m)
}

func (w *world) runBatch(ctx context.Context, b *processor.Batch) error {
	first, last := b.Messages[0].Offset, b.Messages[len(b.Messages)-1].Offset
	for _, m := range b.Messages {
		if m.Attempt != b.Attempt {
			w.t.Errorf("message %d has attempt %d in a batch with attempt %d", m.Offset, m.Attempt, b.Attempt)
		}
	}
	defer w.begin(fmt.Sprintf("%d-%d#%d", first, last, b.Attempt))()
	return w.batch(ctx, b)
}

// begin notes a run; the function that it returns ends it.
func (w *world) begin(name string) (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.runs = append(w.runs, name)
	w.running++
	if w.running > 1 {
		w.t.Errorf("%s runs beside another run", name)
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.running--
	}
}

func (w *world) event(_ time.Time, e event.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
}

// sendOne sends one record that names the message.
func sendOne(ctx context.Context, m *processor.Message) error { return m.Send(ctx, record(m.Offset)) }

// sendAll sends one record for each message of the batch.
func sendAll(ctx context.Context, b *processor.Batch) error {
	for _, m := range b.Messages {
		if err := m.Send(ctx, record(m.Offset)); err != nil {
			return err
		}
	}
	return nil
}

func record(offset int64) processor.Record {
	return processor.Record{Topic: "thumbnails", Key: []byte(strconv.FormatInt(offset, 10))}
}

func offsetOf(key []byte) int64 {
	o, err := strconv.ParseInt(string(key), 10, 64)
	if err != nil {
		panic(err)
	}
	return o
}

// last returns the newest attempt that sent on behalf of the offset.
func (w *world) last(offset int64) *attempt {
	w.t.Helper()
	all := w.sender.of(offset)
	if len(all) == 0 {
		w.t.Fatalf("nothing was sent for offset %d", offset)
	}
	return all[len(all)-1]
}

// ack acknowledges the newest attempts of these offsets, in this order.
func (w *world) ack(offsets ...int64) {
	w.t.Helper()
	for _, o := range offsets {
		w.last(o).ack()
	}
	synctest.Wait()
}

// fail lets the delivery of the newest attempt of the offset fail.
func (w *world) fail(offset int64, err error) {
	w.t.Helper()
	w.last(offset).fail(0, err)
	synctest.Wait()
}

// once makes a processor that does first at its first run of the offset, and
// sends one record otherwise.
func once(offset int64, first func(ctx context.Context, m *processor.Message) error) func(context.Context, *processor.Message) error {
	done := false
	return func(ctx context.Context, m *processor.Message) error {
		if m.Offset == offset && !done {
			done = true
			return first(ctx, m)
		}
		return sendOne(ctx, m)
	}
}

// answer makes a processor's function that sends nothing and returns err.
func answer(err error) func(context.Context, *processor.Message) error {
	return func(context.Context, *processor.Message) error { return err }
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

func holdWith(holds []pause.Hold, r pause.Reason) (pause.Hold, bool) {
	for _, h := range holds {
		if h.Reason == r {
			return h, true
		}
	}
	return pause.Hold{}, false
}

func words(list []string) string { return strings.Join(list, " ") }
