package consumerset

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

// clientStats is what is read of the client's statistics.
type clientStats struct {
	Group struct {
		State     string `json:"state"`
		JoinState string `json:"join_state"`
	} `json:"cgrp"`
	Brokers map[string]struct {
		// RxIdle is the time since something was received, in microseconds, -1 if
		// nothing ever was.
		RxIdle int64 `json:"rxidle"`
	} `json:"brokers"`
	Topics map[string]struct {
		Partitions map[string]partitionStats `json:"partitions"`
	} `json:"topics"`
}

// partitionStats are a partition's. Offsets of -1001 are not known.
type partitionStats struct {
	Partition  int32  `json:"partition"`
	FetchState string `json:"fetch_state"`
	// High is the log's end, and Stable the end of what is readable without open
	// transactions.
	High   int64 `json:"hi_offset"`
	Stable int64 `json:"ls_offset"`
}

func parseStats(text string) (clientStats, error) {
	var s clientStats
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return s, fmt.Errorf("read statistics: %w", err)
	}
	return s, nil
}

// coordinator is the client's name for its connection to the group's coordinator.
const coordinator = "GroupCoordinator"

// groupIdle is how long nothing was received from the coordinator, -1 if it is not
// known.
func (s clientStats) groupIdle() time.Duration {
	b, ok := s.Brokers[coordinator]
	if !ok || b.RxIdle < 0 {
		return -1
	}
	return time.Duration(b.RxIdle) * time.Microsecond
}

// partitions returns the statistics by partition, without the client's own entry
// for unassigned messages (-1).
func (s clientStats) partitions() map[processor.Partition]partitionStats {
	m := map[processor.Partition]partitionStats{}
	for topic, t := range s.Topics {
		for _, p := range t.Partitions {
			if p.Partition >= 0 {
				m[processor.Partition{Topic: topic, Partition: p.Partition}] = p
			}
		}
	}
	return m
}

// end is the offset up to which the partition can be read, -1 if it is not known.
func (p partitionStats) end(uncommitted bool) int64 {
	if uncommitted {
		return max(p.High, -1)
	}
	return max(p.Stable, -1)
}
