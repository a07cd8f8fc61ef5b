// Package live shows the progress of a run: a picture that is redrawn in place on
// a terminal, one line a second anywhere else.
//
// It is plain ANSI in less than 200 lines. The screen libraries that were looked
// at bring an event loop, keyboard handling or a layout engine, and take over the
// terminal; a demo that only writes needs none of it, and Ctrl-C stays a signal.
//
// A Screen belongs to one goroutine.
package live
