// Package runner drives a consumer set: it wires the rooms below it, decides
// what follows a failure, watches running attempts, and stops within a deadline.
//
//	r := runner.New(runner.Config{
//		Brokers: []string{"localhost:9092"},
//		Group:   "thumbnails",
//		Topics:  []runner.Topic{{Name: "uploads"}},
//	}, &Resizer{})
//	err := r.Run(ctx) // blocks until ctx ends or something stops it
//
// # States
//
// starting (brokers and named topics are looked for, Setup runs), running,
// draining (nothing new starts; what runs is waited for, delivered and
// committed), stopped. Each change is one event.
//
// # Concurrency
//
// A Runner runs once. Run blocks; Stop, Cancel and Status may be called from
// any goroutine. Nothing that Run started outlives it, unless the error says so:
// a processor that ignores its context, or a client that does not close, is
// abandoned at the deadline.
//
// # Failure
//
// Run returns nil only after a clean stop. Its errors are typed; ExitCode maps
// them to the exit codes of the command line. The package installs no signal
// handlers, never exits the process and has no globals.
package runner
