package cluster

import (
	"context"
	"fmt"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	produceBuffered = 100_000 // keeps batches full and the memory below some 50 MB
	produceBatch    = 1<<20 - 1<<10
)

// Produce writes the records to the partitions that they name and returns when all
// are acknowledged by all in-sync replicas. The order within a partition is kept
// and nothing is doubled. It sets the records' offsets. On an error some may have
// been written.
func (c *Cluster) Produce(ctx context.Context, topic string, records []Record) error {
	client, err := kgo.NewClient(append(c.clientOpts(),
		kgo.ClientID("pitlane-produce"),
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.NoCompression()),
		kgo.ProducerBatchMaxBytes(produceBatch),
		kgo.MaxBufferedRecords(produceBuffered))...)
	if err != nil {
		return fmt.Errorf("produce to %s: %w", topic, err)
	}
	defer client.Close()

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for i := range records {
		if ctx.Err() != nil {
			break
		}
		wg.Add(1)
		client.Produce(ctx, records[i].kafka(topic), func(r *kgo.Record, err error) {
			defer wg.Done()
			if err != nil {
				cancel(fmt.Errorf("record %d for partition %d: %w", i, r.Partition, err))
				return
			}
			records[i].Offset = r.Offset
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("produce to %s: %w", topic, err)
	}
	return nil
}
