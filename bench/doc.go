// Command bench measures Pitlane against bare loops of the same Kafka client, on
// a real broker that it starts, and prints one table.
//
// # How it measures
//
// Every figure comes from a process of its own, started again for each round: its
// CPU time and its memory are nobody else's, the client's threads included, the
// broker's not. The loops of a table take turns (A B C, then C B A), and a ratio
// is the median of the ratios within a round, so that a machine that is slow for
// a minute is slow for all of them. Speed, CPU time and allocations count from
// the first message to the last: the last message processed where nothing is
// sent, the last record acknowledged where it is.
//
// # What is judged
//
// Every round has a verdict of kafkatest's checker beside its speed: what a loop
// saw, or wrote, is compared with the input. A figure of a loop that lost
// something, or changed an order, is none.
//
// # Failure
//
// A loop that fails, or has not ended after ten minutes, ends the program.
package main
