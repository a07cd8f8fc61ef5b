// Package cli is the command line around a processor: the stock runner and the
// programs of users are the same tree of commands.
//
//	func main() { cli.Main("resizer", &Resizer{}) }
//
// Purpose. It reads the configuration (package config), decodes the processor's
// own block, starts a runner, turns events into log lines (log.go is the only
// place that does), signals into the three steps of a stop, and errors into exit
// codes.
//
// States. A program that runs is stopped in steps, one per signal: the first
// stops in order, the second ends the contexts of running attempts, the third
// leaves at once. Other commands are cancelled by the first and left by the
// second.
//
// Concurrency. The command runs on a goroutine of its own, so that a third
// signal can leave while it hangs. One goroutine takes signals, from the start
// of Run to its end.
//
// Failure. A user's mistake is printed without a stack, with exit code 2. What
// ended a run is one log line and the exit code: 0 clean; 1 could not start, or
// was stopped by the processor or by on_exhausted: stop; 2 usage or
// configuration; 3 stopped with work unfinished or uncommitted; 4 gave up.
package cli
