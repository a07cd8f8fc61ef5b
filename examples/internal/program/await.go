package program

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo" //nolint:depguard // a kit for the tests of the examples
)

// Await reads a topic from its start until there are n records. It fails when the
// example ends before.
func (p *Process) Await(t *testing.T, bootstrap, topic string, n int) []*kgo.Record {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(bootstrap), kgo.ConsumeTopics(topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		select {
		case <-p.ended:
			cancel()
		case <-ctx.Done():
		}
	}()
	var records []*kgo.Record
	for len(records) < n {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err0(); err != nil {
			t.Fatalf("await %d records in %s: %d came: %v", n, topic, len(records), err)
		}
		records = append(records, fetches.Records()...)
	}
	return records
}
