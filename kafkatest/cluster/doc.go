// Package cluster runs real Apache Kafka (KRaft, one or three combined
// broker-controllers) for tests: it starts, kills, freezes and restarts brokers,
// and reads and writes topics with a client library (franz-go) that is not the
// one under test, so that a client's bug cannot hide itself.
//
// # Use
//
// Start belongs to one test and ends with it; Run belongs to a TestMain or a
// command, which calls Close. Brokers have the ids 1 to Config.Brokers.
//
// # What it needs
//
// Java 17 or newer. The jars of Kafka are fetched once, with Maven, into the
// user's cache directory (about 55 MB); parallel processes wait for the first.
// The environment variable PITLANE_KAFKA_LIBS names a directory with the jars of
// a Kafka installation and takes the place of the fetch. Linux only.
//
// # Listeners
//
// Every broker has a direct listener (Bootstrap), which the brokers themselves
// and this package use, and Config.ExtraListeners further ones, the worlds. In a
// world the broker listens on one port and advertises another: something between
// the client and the broker, such as kafkatest/proxy, is expected to listen at
// the advertised one. All ports are below 32768, because an outgoing connection
// may take any port above it while a proxy has its listener closed. They come in
// blocks that a file lock reserves, so processes do not collide.
//
// # States of a broker
//
//	running --Stop, Kill--> stopped --Restart--> running
//	running --Freeze--> frozen --Thaw--> running
//	frozen --Kill--> stopped
//
// # Concurrency
//
// All methods are safe for concurrent use. Those that change one broker are
// serialized for that broker.
//
// # Failure
//
// A failed start returns an error with the end of the broker's log and leaves
// nothing behind. Brokers do not outlive the process that started them, however
// it ends: a small shell process waits for the end of a pipe that only this
// process holds open, then kills the brokers, frozen ones too, and removes their
// data.
package cluster
