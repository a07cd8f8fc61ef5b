package delivery

import "sync/atomic"

// Stats is a snapshot of the counters of a Producer. They never go back. The
// fields are read one after the other, so they may differ by what happens
// meanwhile.
type Stats struct {
	// Generation is the number of the current producer generation, 1 first.
	Generation int64
	// Sent is how many records the client took: Acked + Failed + Open.
	Sent int64
	// Acked is how many were acknowledged.
	Acked int64
	// Failed is how many were not, by their report or by Close.
	Failed int64
	// Refused is how many the client did not take.
	Refused int64
	// Open is how many wait for their report now.
	Open int64
	// QueueFull is how many sends had to wait for room in the client's queue.
	QueueFull int64
	// LateReports came after their generation was over.
	LateReports int64
	// UnknownReports carried no id, or one that was not waiting (any more).
	UnknownReports int64
}

// counters are shared by the generations of a producer.
type counters struct {
	sent, acked, failed, refused, queueFull, lateReports, unknownReports atomic.Int64
}
