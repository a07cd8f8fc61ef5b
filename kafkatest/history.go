package kafkatest

import (
	"slices"
	"sync"
	"time"
)

// History is what happened in a run, in order, and safe for concurrent use. An
// event costs 72 bytes; names are kept once.
type History struct {
	notes

	mu      sync.Mutex
	chunks  [][]record
	n       int
	names   []string
	nameIDs map[string]uint32
}

// chunkSize keeps growth free of copies: four million events are 256 chunks.
const chunkSize = 1 << 14

// record is an Event, packed.
type record struct {
	at, id, offset int64 // at: nanoseconds since 1970, 0 is unknown
	aux            int64 // offset of an output, unit of a run, log position of a commit
	topic          uint32
	member         uint32
	text           uint32 // key, group or reason
	outTopic       uint32
	partition      int32
	outPartition   int32
	epoch          int32
	count          int32 // attempt of a run, generation of an output
	kind           Kind
	outcome        Outcome
}

// NewHistory returns an empty history.
func NewHistory() *History {
	h := &History{names: []string{""}, nameIDs: map[string]uint32{"": 0}}
	h.notes = notes{add: h.Add}
	return h
}

// Add appends an event. Seq is set, and for events of the run At, if it is zero.
func (h *History) Add(e Event) {
	e = stamped(e, time.Now)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.n%chunkSize == 0 {
		h.chunks = append(h.chunks, make([]record, chunkSize))
	}
	h.chunks[h.n/chunkSize][h.n%chunkSize] = h.pack(e)
	h.n++
}

// stamped gives events of the run a time; what a log says keeps its own.
func stamped(e Event, now func() time.Time) Event {
	if e.At.IsZero() && e.Kind != KindOutput && e.Kind != KindCommitted {
		e.At = now()
	}
	return e
}

// Len returns the number of events.
func (h *History) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.n
}

// Events calls f for each event in order until f returns false. Events that
// are added meanwhile are not seen.
func (h *History) Events(f func(Event) bool) {
	s := h.snapshot()
	for i := range s.n {
		if !f(s.event(i)) {
			return
		}
	}
}

func (h *History) pack(e Event) record {
	r := record{
		id: e.ID, offset: e.Input.Offset, topic: h.name(e.Input.Topic), member: h.name(e.Member),
		partition: e.Input.Partition, epoch: e.Epoch, kind: e.Kind, outcome: e.Outcome,
	}
	if !e.At.IsZero() {
		r.at = e.At.UnixNano()
	}
	switch e.Kind {
	case KindOutput, KindAcked:
		r.aux, r.outTopic, r.outPartition, r.count = e.Output.Offset, h.name(e.Output.Topic), e.Output.Partition, e.Generation
	case KindCommitted:
		r.aux, r.text = e.LogPosition, h.name(e.Group)
	case KindFailed, KindSkipped:
		r.text = h.name(e.Reason)
	case KindProduced, KindAssigned, KindRevoked, KindLost, KindStart, KindEnd, KindKilled:
		r.aux, r.text, r.count = e.Unit, h.name(e.Key), e.Attempt
	}
	return r
}

func (h *History) name(s string) uint32 {
	if id, ok := h.nameIDs[s]; ok {
		return id
	}
	id := uint32(len(h.names))
	h.names, h.nameIDs[s] = append(h.names, s), id
	return id
}

// snapshot is a history that does not change: records are written once.
type snapshot struct {
	chunks [][]record
	n      int
	names  []string
}

func (h *History) snapshot() *snapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	return &snapshot{chunks: slices.Clip(h.chunks), n: h.n, names: slices.Clip(h.names)}
}

func (s *snapshot) at(i int) *record { return &s.chunks[i/chunkSize][i%chunkSize] }

func (s *snapshot) event(i int) Event {
	r := s.at(i)
	e := Event{
		Seq:  uint64(i) + 1,
		Kind: r.kind, Member: s.names[r.member], Epoch: r.epoch, ID: r.id, Outcome: r.outcome,
		Input: Position{s.names[r.topic], r.partition, r.offset},
	}
	if r.at != 0 {
		e.At = time.Unix(0, r.at)
	}
	switch r.kind {
	case KindOutput, KindAcked:
		e.Output, e.Generation = Position{s.names[r.outTopic], r.outPartition, r.aux}, r.count
	case KindCommitted:
		e.LogPosition, e.Group = r.aux, s.names[r.text]
	case KindFailed, KindSkipped:
		e.Reason = s.names[r.text]
	case KindProduced, KindAssigned, KindRevoked, KindLost, KindStart, KindEnd, KindKilled:
		e.Unit, e.Key, e.Attempt = r.aux, s.names[r.text], r.count
	}
	return e
}
