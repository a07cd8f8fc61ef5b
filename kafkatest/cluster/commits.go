package cluster

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Commit is one entry of a group's history of commits, as the broker wrote it to
// __consumer_offsets.
type Commit struct {
	Topic     string
	Partition int32
	// Offset is the committed offset, the next one to read; -1 in a tombstone.
	Offset      int64
	LeaderEpoch int32 // -1 when the client gave none
	Metadata    string
	// Time is when the broker took the commit, in milliseconds.
	Time time.Time
	// Position is the entry's offset in __consumer_offsets: all commits of a group
	// are on one partition, so positions order them.
	Position int64
	// Tombstone says that the commit was removed: expired or deleted.
	Tombstone bool
}

// commitKeyMax is the highest version of keys that stand for a commit; others are
// the groups themselves (CoordinatorRecordType of Kafka).
const commitKeyMax = 1

// Commits is the whole history of a group's commits, oldest first. It is complete
// because the cluster compacts nothing.
func (c *Cluster) Commits(ctx context.Context, group string) ([]Commit, error) {
	n, err := c.offsetsPartitions(ctx)
	if err != nil {
		return nil, err
	}
	var out []Commit
	var bad error
	err = c.ReadTo(ctx, offsetsTopic, func(r Record) {
		commit, ok, err := decodeCommit(group, r)
		if err != nil && bad == nil {
			bad = err
		}
		if ok {
			out = append(out, commit)
		}
	}, ReadPartitions(groupPartition(group, n)), ReadCommitted())
	if err == nil {
		err = bad
	}
	if err != nil {
		return nil, fmt.Errorf("read commits of group %s: %w", group, err)
	}
	return out, nil
}

// decodeCommit is not ok for what is not a commit of the group.
func decodeCommit(group string, r Record) (Commit, bool, error) {
	if len(r.Key) < 2 || binary.BigEndian.Uint16(r.Key) > commitKeyMax {
		return Commit{}, false, nil
	}
	var key kmsg.OffsetCommitKey
	if err := key.ReadFrom(r.Key); err != nil {
		return Commit{}, false, fmt.Errorf("decode key at %d: %w", r.Offset, err)
	}
	if key.Group != group {
		return Commit{}, false, nil
	}
	out := Commit{Topic: key.Topic, Partition: key.Partition, Position: r.Offset}
	if r.Value == nil {
		out.Offset, out.LeaderEpoch, out.Time, out.Tombstone = -1, -1, r.Timestamp, true
		return out, true, nil
	}
	value := kmsg.NewOffsetCommitValue()
	if err := value.ReadFrom(r.Value); err != nil {
		return Commit{}, false, fmt.Errorf("decode value at %d: %w", r.Offset, err)
	}
	out.Offset, out.LeaderEpoch, out.Metadata = value.Offset, value.LeaderEpoch, value.Metadata
	out.Time = time.UnixMilli(value.CommitTimestamp)
	return out, true, nil
}
