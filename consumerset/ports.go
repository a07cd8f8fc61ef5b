package consumerset

import (
	"context"

	"github.com/pitlane-go/pitlane/event"
	"github.com/pitlane-go/pitlane/lane"
	"github.com/pitlane-go/pitlane/processor"
)

// Lane is what the room needs of a lane; *lane.Lane is one.
type Lane interface {
	// Run is the lane's goroutine. The member starts it.
	Run()
	// Position is the next offset to commit, negative if there is none yet.
	Position() int64
	// Drain lets nothing new start.
	Drain()
	// Idle is closed when a draining lane has nothing under way.
	Idle() <-chan struct{}
	// Fence refuses every later result, cancels running attempts and stops.
	Fence(cause error)
	// Stop ends the lane after the running attempt.
	Stop()
	// Done is closed when Run has returned.
	Done() <-chan struct{}
}

// Assignment is what a lane is made from.
type Assignment struct {
	Source event.Source
	// Start is the first offset to process, and From where it comes from:
	// "committed", "earliest" or "latest". Start is negative, and the feed only
	// has an error, for a partition that has nowhere to start.
	Start int64
	From  string
	Feed  lane.Feed
	// After, if not nil, is closed when the lane may start: the partition's
	// earlier lane in this process has returned, and so has OnAssigned.
	After <-chan struct{}
}

// Hooks are called beside the member's goroutine, one after the other, each with
// a context that ends at its deadline. Errors, panics and overruns become
// event.HookFailed. Nil ones are left out.
type Hooks struct {
	// OnAssigned is called before the partitions' lanes start.
	OnAssigned func(ctx context.Context, ps []processor.Partition) error
	// OnRevoked is called before the partitions are given up. The order is drain,
	// hook, commit, fence: it may be called while an attempt that overran the drain
	// still runs.
	OnRevoked func(ctx context.Context, ps []processor.Partition)
	// OnLost is called when the partitions are gone already.
	OnLost func(ctx context.Context, ps []processor.Partition)
}
