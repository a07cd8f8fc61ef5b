package live

import "time"

// Frame is one picture.
type Frame struct {
	// Title says what runs, Notes explain it, one line each.
	Title string
	Notes []string
	// Elapsed of Total has passed.
	Elapsed, Total time.Duration
	// Phase is what happens now, when that is not simply running.
	Phase string
	Rows  []Row
	// Totals are counters, shown in this order.
	Totals []Total
}

// Row is one partition.
type Row struct {
	Name     string
	Position int64
	// Lag is how many messages wait; negative is unknown.
	Lag int64
	// Rate is in messages per second.
	Rate float64
	// Hold is why the partition starts nothing; empty while it runs.
	Hold string
	// Attempt is the number of runs that failed so far, if the hold has one.
	Attempt int
	// Left is the time until the hold ends, or 0 when nobody knows.
	Left time.Duration
	// Cause is the failure behind the hold.
	Cause string
}

// Total is one counter.
type Total struct {
	Name  string
	Value int64
}
