package delivery_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"pgregory.net/rapid"

	"github.com/pitlane-go/pitlane/delivery"
	"github.com/pitlane-go/pitlane/processor"
)

// verdict is what the client will say about one record.
type verdict struct {
	refused  kafka.ErrorCode // by Produce
	reported kafka.ErrorCode // by its report
	twice    bool            // the report comes twice
}

// world is one drawn case: attempts with their records, and a client that takes
// few at a time and answers them in any order.
type world struct {
	attempts [][]verdict
	endEarly []bool // End is called while sends are under way
	senders  int    // goroutines of each attempt
	client   *fake
	order    *rand.Rand
	unknown  atomic.Int64 // reports that nobody waits for
	idle     chan struct{}
}

func drawWorld(t *rapid.T) *world {
	code := func(codes ...kafka.ErrorCode) *rapid.Generator[kafka.ErrorCode] { return rapid.SampledFrom(codes) }
	one := rapid.Custom(func(t *rapid.T) verdict {
		return verdict{
			refused:  code(0, 0, 0, 0, kafka.ErrMsgSizeTooLarge).Draw(t, "refused"),
			reported: code(0, 0, 0, kafka.ErrMsgTimedOut, kafka.ErrInvalidRecord).Draw(t, "reported"),
			twice:    rapid.Bool().Draw(t, "twice"),
		}
	})
	w := &world{
		attempts: rapid.SliceOfN(rapid.SliceOfN(one, 0, 12), 1, 6).Draw(t, "attempts"),
		senders:  rapid.IntRange(1, 3).Draw(t, "senders"),
		client:   newFake(),
		order:    rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 1)),
		idle:     make(chan struct{}),
	}
	for range w.attempts {
		w.endEarly = append(w.endEarly, rapid.Bool().Draw(t, "end early"))
	}
	w.client.capacity = rapid.IntRange(1, 5).Draw(t, "capacity")
	w.client.refuse = func(m *kafka.Message) error {
		if v := w.of(m.Value); v.refused != 0 {
			return kafka.NewError(v.refused, "", false)
		}
		return nil
	}
	return w
}

// of finds the verdict of the record with this value, "attempt/index".
func (w *world) of(value []byte) verdict {
	a, i, _ := strings.Cut(string(value), "/")
	attempt, _ := strconv.Atoi(a)
	index, _ := strconv.Atoi(i)
	return w.attempts[attempt][index]
}

// answer reports what is in the client's queue in any order, some twice, with
// unknown ids in between, until stop is closed.
func (w *world) answer(stop <-chan struct{}) {
	defer close(w.idle)
	tick := time.NewTicker(200 * time.Microsecond)
	defer tick.Stop()
	for {
		w.client.mu.Lock()
		n := len(w.client.queue)
		w.client.mu.Unlock()
		if n == 0 {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			continue
		}
		m, _ := w.client.take(w.order.IntN(n))
		v := w.of(m.Value)
		w.client.report(m, v.reported)
		if v.twice {
			w.unknown.Add(1)
			w.client.report(m, kafka.ErrorCode(0))
		}
		if w.order.IntN(4) == 0 {
			w.unknown.Add(1)
			w.client.report(kafka.Message{Opaque: uint64(1 << 40)}, kafka.ErrMsgTimedOut)
		}
		if w.order.IntN(8) == 0 {
			w.unknown.Add(1)
			w.client.report(kafka.Message{Opaque: "not an id"}, 0)
		}
	}
}

// run sends the records of attempt k and checks how it ends.
func (w *world) run(k int, p *delivery.Producer) error {
	a := p.Begin()
	records := w.attempts[k]
	taken := make([]bool, len(records))   // Send answered nil
	refused := make([]bool, len(records)) // Send answered an *Error
	var calls atomic.Int32
	done := make(chan struct{})
	end := func() {
		a.End(func() {
			if calls.Add(1) == 1 {
				close(done)
			}
		})
	}
	var senders sync.WaitGroup
	for s := range w.senders {
		senders.Go(func() {
			for i := s; i < len(records); i += w.senders {
				err := a.Send(context.Background(), i, processor.Record{Topic: "out", Value: fmt.Appendf(nil, "%d/%d", k, i)})
				_, failed := errors.AsType[*delivery.Error](err)
				taken[i], refused[i] = err == nil, failed
			}
		})
	}
	if w.endEarly[k] {
		end()
		senders.Wait()
	} else {
		senders.Wait()
		end()
	}
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		return fmt.Errorf("attempt %d: done was not called", k)
	}
	if n := calls.Load(); n != 1 {
		return fmt.Errorf("attempt %d: done was called %d times", k, n)
	}
	var want []int
	for i, v := range records {
		if refused[i] || taken[i] && v.reported != 0 {
			want = append(want, i)
		}
		if !w.endEarly[k] && taken[i] != (v.refused == 0) {
			return fmt.Errorf("attempt %d record %d: taken %v, verdict %+v", k, i, taken[i], v)
		}
	}
	return checkFailures(a, want)
}

// checkFailures compares Err and FailedIndex with the records that failed.
func checkFailures(a *delivery.Attempt, want []int) error {
	var got []int
	for _, e := range failures(a.Err()) {
		got = append(got, e.Index)
	}
	sort.Ints(got)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("failed records %v, want %v (%w)", got, want, a.Err())
	}
	lowest := -1
	if len(want) > 0 {
		lowest = want[0]
	}
	if a.FailedIndex() != lowest {
		return fmt.Errorf("failed index %d, want %d", a.FailedIndex(), lowest)
	}
	return nil
}

// failures lists the failed records in an attempt's error.
func failures(err error) []*delivery.Error {
	if err == nil {
		return nil
	}
	if all, ok := errors.AsType[delivery.Errors](err); ok {
		return all
	}
	one, _ := errors.AsType[*delivery.Error](err)
	return []*delivery.Error{one}
}

// Whatever the client says, in whatever order: every attempt ends exactly once
// and knows exactly which of its records failed.
func TestEveryHandleIsResolvedExactlyOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := drawWorld(rt)
		p := w.client.producer(t, delivery.Config{})
		stop := make(chan struct{})
		go w.answer(stop)
		results := make(chan error, len(w.attempts)) // one each
		for k := range w.attempts {
			go func() { results <- w.run(k, p) }()
		}
		var problem error
		for range w.attempts {
			problem = errors.Join(problem, <-results)
		}
		close(stop)
		<-w.idle
		if err := p.Close(context.Background()); err != nil {
			problem = errors.Join(problem, err)
		}
		if problem != nil {
			rt.Fatal(problem)
		}
		s := p.Stats()
		if s.Open != 0 || s.Sent != s.Acked+s.Failed || s.UnknownReports != w.unknown.Load() || s.LateReports != 0 {
			rt.Fatalf("stats %+v, %d unknown reports", s, w.unknown.Load())
		}
	})
}
