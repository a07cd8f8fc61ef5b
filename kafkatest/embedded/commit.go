package embedded

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/kafkatest"
)

// Commit is one committed offset.
type Commit struct {
	kafkatest.Commit
	// Member is the member id that committed, empty for an admin client.
	Member   string
	Metadata string
}

// commitLog keeps the offset commits. The broker's loop tells it of each request
// in the order in which they are applied, the connections tell it how they were
// answered.
type commitLog struct {
	mu      sync.Mutex
	applied int64 // number of requests
	pending []appliedCommit
	done    []Commit
}

// appliedCommit is a request that the broker has taken and not yet answered.
type appliedCommit struct {
	number  int64
	at      time.Time
	request []byte
	commits []Commit
	refs    []partitionRef // of each commit
}

// partitionRef is a partition as requests name it: by topic, or by id (version 10).
type partitionRef struct {
	topic     string
	id        [16]byte
	partition int32
}

// watch looks at requests and answers none, so it stays in place.
func (l *commitLog) watch(c *kfake.Cluster) {
	c.ControlKey(kmsg.OffsetCommit.Int16(), func(r kmsg.Request) (kmsg.Response, error, bool) {
		if req, ok := r.(*kmsg.OffsetCommitRequest); ok {
			l.apply(c, req)
		}
		return nil, nil, false
	})
}

func (l *commitLog) apply(c *kfake.Cluster, req *kmsg.OffsetCommitRequest) {
	a := appliedCommit{at: time.Now(), request: req.AppendTo(nil)}
	for _, t := range req.Topics {
		name := t.Topic
		if name == "" {
			if info := c.TopicIDInfo(t.TopicID); info != nil {
				name = info.Topic
			}
		}
		for _, p := range t.Partitions {
			commit := Commit{Member: req.MemberID}
			commit.Group, commit.Time = req.Group, a.at
			commit.Position = kafkatest.Position{Topic: name, Partition: p.Partition, Offset: p.Offset}
			if p.Metadata != nil {
				commit.Metadata = *p.Metadata
			}
			a.commits = append(a.commits, commit)
			a.refs = append(a.refs, partitionRef{t.Topic, t.TopicID, p.Partition})
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.applied++
	a.number = l.applied
	for i := range a.commits {
		a.commits[i].LogPosition = a.number
	}
	l.pending = append(l.pending, a)
}

// answered takes the frames of a request and of its response.
func (l *commitLog) answered(request, response []byte) {
	req, resp := readCommit(request, response)
	if req == nil {
		return
	}
	body := req.AppendTo(nil)
	l.mu.Lock()
	defer l.mu.Unlock()
	// Equal requests are equal in what they commit, so the first one will do.
	i := slices.IndexFunc(l.pending, func(a appliedCommit) bool { return bytes.Equal(a.request, body) })
	if i < 0 {
		return // an injected answer: the broker has not seen the request
	}
	a := l.pending[i]
	l.pending = slices.Delete(l.pending, i, i+1)
	good := accepted(resp)
	for n, ref := range a.refs {
		if good[ref] {
			l.done = append(l.done, a.commits[n])
		}
	}
}

// accepted returns the partitions that a response has no error for.
func accepted(resp *kmsg.OffsetCommitResponse) map[partitionRef]bool {
	good := map[partitionRef]bool{}
	for _, t := range resp.Topics {
		for _, p := range t.Partitions {
			if p.ErrorCode == 0 {
				good[partitionRef{t.Topic, t.TopicID, p.Partition}] = true
			}
		}
	}
	return good
}

// readCommit decodes an OffsetCommit request and its response.
func readCommit(request, response []byte) (*kmsg.OffsetCommitRequest, *kmsg.OffsetCommitResponse) {
	r := kbin.Reader{Src: request}
	r.Int16()
	version := r.Int16()
	r.Int32()
	r.NullableString()
	req := kmsg.NewPtrOffsetCommitRequest()
	req.SetVersion(version)
	if req.IsFlexible() {
		kmsg.SkipTags(&r)
	}
	resp := kmsg.NewPtrOffsetCommitResponse()
	resp.SetVersion(version)
	body := response[headerSize:]
	if resp.IsFlexible() && len(body) > 0 {
		body = body[1:] // no tags
	}
	if req.ReadFrom(r.Src) != nil || resp.ReadFrom(body) != nil {
		return nil, nil
	}
	return req, resp
}

// Commits returns the offsets that were committed: all that were answered without
// error, in the order in which the broker applied them.
func (b *Broker) Commits() []Commit {
	b.commits.mu.Lock()
	defer b.commits.mu.Unlock()
	out := slices.Clone(b.commits.done)
	slices.SortStableFunc(out, func(x, y Commit) int { return cmp.Compare(x.LogPosition, y.LogPosition) })
	return out
}

// Unanswered returns the commits that the broker took and has not answered: it is
// about to, or the connection ended first.
func (b *Broker) Unanswered() []Commit {
	b.commits.mu.Lock()
	defer b.commits.mu.Unlock()
	var out []Commit
	for _, a := range b.commits.pending {
		out = append(out, a.commits...)
	}
	return out
}

// NoteCommits adds the commits of a group to a history.
func (b *Broker) NoteCommits(h *kafkatest.History, group string) {
	for _, c := range b.Commits() {
		if c.Group == group {
			h.Committed(c.Commit)
		}
	}
}
