package cluster

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"
)

// offsetsTopic holds the groups' commits; who leads a group's partition of it is
// the group's coordinator.
const offsetsTopic = "__consumer_offsets"

// Coordinator is the id of the group's coordinator.
func (c *Cluster) Coordinator(ctx context.Context, group string) (int, error) {
	found := c.admin.FindGroupCoordinators(ctx, group)
	if err := found.Error(); err != nil {
		return 0, fmt.Errorf("find coordinator of group %s: %w", group, err)
	}
	return int(found[group].NodeID), nil
}

// MoveCoordinator makes a broker the coordinator of a group, and of all groups on
// the same offsets partition, and returns when it has loaded the group.
func (c *Cluster) MoveCoordinator(ctx context.Context, group string, broker int) error {
	n, err := c.offsetsPartitions(ctx)
	if err != nil {
		return fmt.Errorf("move coordinator of group %s: %w", group, err)
	}
	if err := c.MoveLeader(ctx, offsetsTopic, groupPartition(group, n), broker); err != nil {
		return fmt.Errorf("move coordinator of group %s: %w", group, err)
	}
	err = c.until(ctx, func(ctx context.Context) error {
		now, err := c.Coordinator(ctx, group)
		if err != nil {
			return err
		}
		if now != broker {
			return fmt.Errorf("broker %d is the coordinator", now)
		}
		_, err = c.admin.FetchOffsets(ctx, group)
		return err
	})
	if err != nil {
		return fmt.Errorf("move coordinator of group %s to broker %d: %w", group, broker, err)
	}
	return nil
}

func (c *Cluster) offsetsPartitions(ctx context.Context) (int32, error) {
	m, err := c.metadata(ctx, offsetsTopic)
	if err != nil {
		return 0, err
	}
	t := m.Topics[offsetsTopic]
	if t.Err != nil {
		return 0, fmt.Errorf("read metadata of the offsets topic: %w", t.Err)
	}
	return int32(len(t.Partitions)), nil
}

// groupPartition is the offsets partition of a group: Java's hash of the name,
// without its sign (GroupMetadataManager.partitionFor of Kafka).
func groupPartition(group string, partitions int32) int32 {
	var h int32
	for _, u := range utf16.Encode([]rune(group)) {
		h = 31*h + int32(u)
	}
	switch {
	case h == math.MinInt32:
		h = 0
	case h < 0:
		h = -h
	}
	return h % partitions
}

// groupOn finds a name for a group on the given offsets partition.
func groupOn(partition, partitions int32) string {
	for i := 0; ; i++ {
		if name := readyGroup(i); groupPartition(name, partitions) == partition {
			return name
		}
	}
}

func readyGroup(i int) string { return "pitlane-ready-" + strconv.Itoa(i) }
