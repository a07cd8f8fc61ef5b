package cluster

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"
)

// ReadOption changes how a topic is read.
type ReadOption func(*readConfig)

type readConfig struct {
	committed  bool
	partitions []int32 // empty: all
	from       map[int32]int64
}

// ReadCommitted leaves out the records of open and aborted transactions. Without
// it everything but the transactions' markers is read.
func ReadCommitted() ReadOption { return func(c *readConfig) { c.committed = true } }

// ReadPartitions reads only these partitions.
func ReadPartitions(partitions ...int32) ReadOption {
	return func(c *readConfig) { c.partitions = partitions }
}

// ReadFrom begins at these offsets, by partition; others begin at the start.
func ReadFrom(offsets map[int32]int64) ReadOption {
	return func(c *readConfig) { c.from = offsets }
}

// ReadAll reads a topic from its start to the end that it has at the time of the
// call. Records of one partition are in order.
func (c *Cluster) ReadAll(ctx context.Context, topic string, opts ...ReadOption) ([]Record, error) {
	var out []Record
	err := c.ReadTo(ctx, topic, func(r Record) { out = append(out, r) }, opts...)
	return out, err
}

// ReadTo is ReadAll for topics that should not be in memory as a whole: it calls
// each for every record, never concurrently.
func (c *Cluster) ReadTo(ctx context.Context, topic string, each func(Record), opts ...ReadOption) error {
	var cfg readConfig
	for _, o := range opts {
		o(&cfg)
	}
	span, err := c.span(ctx, topic, cfg)
	if err != nil {
		return err
	}
	if len(span) == 0 {
		return nil
	}
	if err := c.read(ctx, topic, span, cfg.committed, each); err != nil {
		return fmt.Errorf("read topic %s: %w", topic, err)
	}
	return nil
}

// extent is what to read of a partition: from start up to, not including, end.
type extent struct{ start, end int64 }

// span leaves out partitions with nothing to read.
func (c *Cluster) span(ctx context.Context, topic string, cfg readConfig) (map[int32]extent, error) {
	starts, err := c.StartOffsets(ctx, topic)
	if err != nil {
		return nil, err
	}
	list := c.EndOffsets
	if cfg.committed {
		list = c.stableOffsets
	}
	ends, err := list(ctx, topic)
	if err != nil {
		return nil, err
	}
	wanted := cfg.partitions
	if len(wanted) == 0 {
		for p := range ends {
			wanted = append(wanted, p)
		}
	}
	out := map[int32]extent{}
	for _, p := range wanted {
		end, ok := ends[p]
		if !ok {
			return nil, fmt.Errorf("read topic %s: no partition %d", topic, p)
		}
		if start := max(starts[p], cfg.from[p]); start < end {
			out[p] = extent{start, end}
		}
	}
	return out, nil
}

func (c *Cluster) read(ctx context.Context, topic string, span map[int32]extent, committed bool, each func(Record)) error {
	offsets := map[int32]kgo.Offset{}
	for p, x := range span {
		offsets[p] = kgo.NewOffset().At(x.start)
	}
	opts := append(c.clientOpts(),
		kgo.ClientID("pitlane-read"),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: offsets}),
		// A partition may end with a marker: without the markers its end is not seen.
		kgo.KeepControlRecords(),
		kgo.FetchMaxPartitionBytes(8<<20),
		kgo.FetchMaxBytes(32<<20))
	if committed {
		opts = append(opts, kgo.FetchIsolationLevel(kgo.ReadCommitted()))
	}
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return fmt.Errorf("create client: %w", err)
	}
	defer client.Close()

	for len(span) > 0 {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		fetches.EachRecord(func(r *kgo.Record) {
			x, ok := span[r.Partition]
			if !ok {
				return // came after the end
			}
			if r.Offset < x.end && !r.Attrs.IsControl() {
				each(recordOf(r))
			}
			if r.Offset >= x.end-1 {
				delete(span, r.Partition)
			}
		})
	}
	return nil
}
