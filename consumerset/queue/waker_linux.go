package queue

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync"
	"syscall"
)

const (
	// tokenSize is the payload of one wake-up: the slot's number.
	tokenSize = 4
	// pipeSize is the capacity of a pipe on Linux.
	pipeSize = 64 << 10
	// pipeFull is where a read is taken for a pipe that was full: tokens may have
	// been dropped then, so everybody is woken.
	pipeFull = 60 << 10
)

// waker turns the wake-ups of all queues of one client into channels: one pipe per
// member, because a descriptor per partition costs as much and brings nothing.
type waker struct {
	r        *os.File
	writeEnd int
	done     chan struct{}

	mu    sync.Mutex
	slots []chan struct{}
	free  []int
}

func newWaker() (*waker, error) {
	var p [2]int
	// Non-blocking on both sides: a blocking write end would block the client's
	// thread under the queue's lock, a blocking read end would cost a thread.
	if err := syscall.Pipe2(p[:], syscall.O_NONBLOCK|syscall.O_CLOEXEC); err != nil {
		return nil, fmt.Errorf("open wake pipe: %w", err)
	}
	w := &waker{r: os.NewFile(uintptr(p[0]), "wake"), writeEnd: p[1], done: make(chan struct{})}
	go w.run()
	return w, nil
}

func (w *waker) run() {
	defer close(w.done)
	buf := make([]byte, pipeSize)
	for {
		n, err := w.r.Read(buf)
		if err != nil {
			return
		}
		if n >= pipeFull {
			w.wakeAll()
			continue
		}
		w.mu.Lock()
		for i := 0; i+tokenSize <= n; i += tokenSize {
			if s := int(binary.NativeEndian.Uint32(buf[i:])); s < len(w.slots) {
				poke(w.slots[s])
			}
		}
		w.mu.Unlock()
	}
}

func (w *waker) wakeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.slots {
		poke(c)
	}
}

// poke never blocks: one token says all that a reader needs to know.
func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// slot returns a number for a queue's tokens and the channel that they end up in.
// The channel starts with a token: a queue that was armed when it was not empty
// never fires, so the first read must come unprompted.
func (w *waker) slot() (int, chan struct{}) {
	c := make(chan struct{}, 1)
	c <- struct{}{}
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.free); n > 0 {
		s := w.free[n-1]
		w.free, w.slots[s] = w.free[:n-1], c
		return s, c
	}
	w.slots = append(w.slots, c)
	return len(w.slots) - 1, c
}

// giveBack frees a slot. A token that is still in the pipe wakes the slot's next
// user for nothing, which does no harm.
func (w *waker) giveBack(s int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slots[s] = make(chan struct{}, 1)
	w.free = append(w.free, s)
}

// token is what the client writes for a slot.
func token(s int) []byte {
	return binary.NativeEndian.AppendUint32(nil, uint32(s))
}

// close ends the reader. All queues must be disarmed before.
func (w *waker) close() error {
	errW := syscall.Close(w.writeEnd)
	errR := w.r.Close()
	<-w.done
	if errR != nil {
		return fmt.Errorf("close wake pipe: %w", errR)
	}
	if errW != nil {
		return fmt.Errorf("close wake pipe: %w", errW)
	}
	return nil
}
