// Package pause holds the reasons why a partition starts nothing, and the
// arithmetic of back-off. It is pure: time is an argument, nothing here waits,
// and it is not safe for concurrent use: its owner is the lane.
package pause
