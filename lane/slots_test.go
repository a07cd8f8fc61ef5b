package lane_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/pause"
	"github.com/pitlane-go/pitlane/processor"
)

func TestSlotsBoundTheRunningAttemptsOfAllLanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := newSlots(2)
		worlds := make([]*world, 5)
		for i := range worlds {
			w := newWorld(t)
			worlds[i] = w
			w.slots, w.cfg.Slots = shared, shared
			w.sender.atOnce = (*attempt).ack
			w.process = func(ctx context.Context, m *processor.Message) error {
				<-time.After(time.Second)
				return sendOne(ctx, m)
			}
			w.start()
			w.push(0, 1, 2, 3)
		}
		<-time.After(10 * time.Second) // 20 attempts of a second, two at a time
		synctest.Wait()
		for _, w := range worlds {
			w.wantPosition(4)
		}
		if n := shared.most.Load(); n != 2 {
			t.Errorf("%d attempts ran at the same time, want 2", n)
		}
		for _, w := range worlds {
			w.end()
		}
	})
}

func TestSlotIsGivenBackWhileTheLaneWaitsOrHolds(t *testing.T) {
	bubble(t, func(w *world) {
		free := func(when string) {
			t.Helper()
			if n := w.slots.inUse.Load(); n != 0 {
				t.Errorf("%s: %d slots in use", when, n)
			}
		}
		w.cfg.MaxOutstanding = 2
		w.process = once(1, answer(errBoom))
		w.start()
		free("before the first message")
		w.push(0)
		free("feed empty")
		w.push(1)
		w.wantHold(pause.Retry, time.Second)
		free("in a hold")
		w.pass(time.Second)
		w.push(2)
		w.wantRuns("0#1", "1#1", "1#2")
		free("too many outstanding")
	})
}

func TestSlotIsKeptFromOneMessageToTheNextUnlessAnotherLaneWaits(t *testing.T) {
	for _, contended := range []bool{false, true} {
		bubble(t, func(w *world) {
			w.process = answer(nil)
			w.slots.contended.Store(contended)
			w.start()
			w.push(through(0, 9)...)
			want := int64(1)
			if contended {
				want = 10
			}
			if n := w.slots.releases.Load(); n != want {
				t.Errorf("contended %v: the slot was given back %d times, want %d", contended, n, want)
			}
		})
	}
}

func TestFailureDuringTheWaitForASlotIsDecidedFirst(t *testing.T) {
	bubble(t, func(w *world) {
		w.start()
		w.push(0)
		w.wantRuns("0#1")
		<-w.slots.free // another lane takes it
		w.push(1)
		w.fail(0, errBroker)
		w.slots.free <- struct{}{}
		w.push()
		w.wantRuns()
		w.wantHold(pause.Delivery, time.Second)
		w.pass(time.Second)
		w.wantRuns("0#1")
	})
}

func TestStopAndFenceDoNotWaitForASlot(t *testing.T) {
	ends := map[string]func(l *lane.Lane){
		"stop": (*lane.Lane).Stop, "fence": func(l *lane.Lane) { l.Fence(errFenced) },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				<-w.slots.free
				w.start()
				w.push(0)
				end(w.lane)
				w.push()
				if !isClosed(w.lane.Done()) {
					t.Error("the lane has not returned")
				}
				w.wantRuns()
			})
		})
	}
}
