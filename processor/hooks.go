package processor

import (
	"context"
	"log/slog"
)

// Env is what a processor learns at setup about the runner that it runs in.
type Env struct {
	// Group is the consumer group, ClientID the name of this process to the
	// brokers, Topics the subscription as it was configured (patterns included).
	Group    string
	ClientID string
	Topics   []string
	// Logger writes to the runner's log; never nil.
	Logger *slog.Logger
}

// Setuper is an optional interface of a processor. Setup is called once before
// the first message. An error ends the start.
type Setuper interface {
	Setup(ctx context.Context, env Env) error
}

// Teardowner is an optional interface of a processor. Teardown is called once,
// after the last attempt has returned and the positions have been committed, and
// also when a later processor's Setup failed.
type Teardowner interface {
	Teardown(ctx context.Context) error
}

// AssignedHook is an optional interface of a processor. OnAssigned is called
// beside the consumer's loop after partitions were assigned. A processor behind
// ByTopic gets the partitions of its topics only.
type AssignedHook interface {
	OnAssigned(ctx context.Context, parts []Partition) error
}

// RevokedHook is an optional interface of a processor. OnRevoked is called before
// partitions are given up in order; ctx ends when the time for that is over. The
// order is drain, hook, commit, fence: OnRevoked may be called while an attempt that
// overran the drain still runs.
type RevokedHook interface {
	OnRevoked(ctx context.Context, parts []Partition)
}

// LostHook is an optional interface of a processor. OnLost is called after
// partitions were lost: another member may have them already, and nothing more
// is committed for them.
type LostHook interface {
	OnLost(ctx context.Context, parts []Partition)
}

// Configurer is an optional interface of a processor. The processor block of the
// configuration is decoded strictly into the pointer that Config returns, before
// Setup.
type Configurer interface {
	Config() any
}
