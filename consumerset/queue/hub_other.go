//go:build !linux

package queue

import (
	"fmt"
	"runtime"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// Hub gives out the partition queues of one client; here it cannot.
type Hub struct{}

// Feed is the messages of one partition; here there is none.
type Feed struct{}

// NewHub answers ErrUnavailable: only Linux has been measured.
func NewHub(*kafka.Consumer) (*Hub, error) {
	return nil, fmt.Errorf("%w: %s is not supported", ErrUnavailable, runtime.GOOS)
}

// Open answers ErrUnavailable.
func (*Hub) Open(string, int32, int64, func(*PartitionError)) (*Feed, error) {
	return nil, ErrUnavailable
}

// WakeAll does nothing.
func (*Hub) WakeAll() {}

// Close does nothing.
func (*Hub) Close() error { return nil }

// Read implements lane.Feed.
func (*Feed) Read(int) ([]processor.Message, bool, error) { return nil, false, lane.ErrFeedClosed }

// Wake implements lane.Feed.
func (*Feed) Wake() <-chan struct{} { return nil }

// Next is -1.
func (*Feed) Next() int64 { return -1 }

// Dropped is 0.
func (*Feed) Dropped() int64 { return 0 }

// Close does nothing.
func (*Feed) Close() {}

// Disarm does nothing.
func (*Feed) Disarm() {}

// Release does nothing.
func (*Feed) Release() {}

// Forget does nothing.
func (*Feed) Forget() {}
