package pause

// Reason says why a partition (or a key) starts nothing. It is the word that
// logs, events and metrics use.
type Reason string

// The reasons of a hold, as in docs/design.md.
const (
	// Retry waits for the back-off of a failed unit.
	Retry Reason = "retry"
	// Delivery waits because delivery reports are late, or for the back-off
	// after a failed delivery.
	Delivery Reason = "delivery"
	// Operator was asked for by an operator.
	Operator Reason = "operator"
	// Drain waits for running attempts before the partition is given up, or for
	// those of an earlier assignment of it in this process.
	Drain Reason = "drain"
	// Paused was given up by the policy and waits for an operator.
	Paused Reason = "paused"
)
