package kafkatest

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// Journal writes events as JSON lines, one write each: what was noted survives
// kill -9 of the process. Each process writes a file of its own.
type Journal struct {
	notes

	mu  sync.Mutex
	w   io.Writer
	seq uint64
	buf []byte
	err error
}

// NewJournal returns a journal that writes to w, which should not buffer (a
// file opened for appending).
func NewJournal(w io.Writer) *Journal {
	j := &Journal{w: w}
	j.notes = notes{add: j.Add}
	return j
}

// Add writes an event. Seq is set, and for events of the run At, if it is zero.
func (j *Journal) Add(e Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil {
		return
	}
	j.seq++
	e.Seq = j.seq
	j.buf = appendLine(j.buf[:0], stamped(e, time.Now))
	if _, err := j.w.Write(j.buf); err != nil {
		j.err = fmt.Errorf("write journal: %w", err)
	}
}

// Err returns the first write error; nothing was noted after it.
func (j *Journal) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// WriteJournal writes a whole history as a journal.
func WriteJournal(w io.Writer, h *History) error {
	b := bufio.NewWriter(w)
	j := NewJournal(b)
	h.Events(func(e Event) bool {
		j.Add(e)
		return j.err == nil
	})
	return errors.Join(j.Err(), b.Flush())
}

// ReadHistory reads one journal. A torn last line is ignored; any other line
// that cannot be read is a *JournalError.
func ReadHistory(r io.Reader) (*History, error) {
	h, b := NewHistory(), bufio.NewReaderSize(r, 1<<16)
	for line := 1; ; line++ {
		text, err := b.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return h, nil
		}
		if err != nil {
			return nil, &JournalError{Line: line, Err: err}
		}
		var w wireEvent
		if err := json.Unmarshal(text, &w); err != nil {
			return nil, &JournalError{Line: line, Err: err}
		}
		e, err := w.event()
		if err != nil {
			return nil, &JournalError{Line: line, Err: err}
		}
		h.Add(e)
	}
}

// ReadFiles reads journals and merges them.
func ReadFiles(paths ...string) (*History, error) {
	var all []*History
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			return nil, fmt.Errorf("open journal: %w", err)
		}
		h, err := ReadHistory(f)
		_ = f.Close() // it was only read
		if err != nil {
			return nil, fmt.Errorf("read journal %s: %w", p, err)
		}
		all = append(all, h)
	}
	return Merge(all...), nil
}

// Merge makes one history of several, by wall time. The order inside each one
// is kept, even where its times step back or are unknown.
func Merge(hs ...*History) *History {
	type place struct {
		at       int64
		src, idx int
	}
	snaps := make([]*snapshot, len(hs))
	var places []place
	for src, h := range hs {
		s := h.snapshot()
		snaps[src] = s
		var last int64
		for i := range s.n {
			last = max(last, s.at(i).at)
			places = append(places, place{last, src, i})
		}
	}
	// Stable: equal times keep the order of the sources, and inside a source
	// the times do not step back.
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	out := NewHistory()
	for _, p := range places {
		out.Add(snaps[p.src].event(p.idx))
	}
	return out
}
