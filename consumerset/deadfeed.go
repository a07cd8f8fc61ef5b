package consumerset

import "github.com/pitlane-go/pitlane/processor"

// deadFeed is the feed of a partition that cannot start.
type deadFeed struct {
	err  error
	wake chan struct{}
}

func newDeadFeed(err error) *deadFeed {
	f := &deadFeed{err: err, wake: make(chan struct{}, 1)}
	f.wake <- struct{}{}
	return f
}

// Read implements lane.Feed.
func (f *deadFeed) Read(int) ([]processor.Message, bool, error) { return nil, false, f.err }

// Wake implements lane.Feed.
func (f *deadFeed) Wake() <-chan struct{} { return f.wake }

// Next implements feed.
func (*deadFeed) Next() int64 { return -1 }

// Close implements feed.
func (*deadFeed) Close() {}

// Disarm implements feed.
func (*deadFeed) Disarm() {}

// Release implements feed.
func (*deadFeed) Release() {}

// Forget implements feed.
func (*deadFeed) Forget() {}
