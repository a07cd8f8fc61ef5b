// Package embedded runs a Kafka broker inside the process, for tests and for
// development: franz-go's kfake, with settings that the client used by Pitlane
// (librdkafka) works with and data that does not expire.
//
// # What it can do
//
// Start and Run start one or more brokers. Classic groups (range,
// cooperative-sticky) and KIP-848 groups, idempotent producing, ListOffsets,
// DescribeTopics with topic ids and DescribeConfigs work. Commits returns every
// offset commit that was answered without error, in the order in which the broker
// applied them, in the form that kafkatest.Check reads. FailNext, Hold and Delay
// answer, stop or slow the requests of one API key.
//
// # What it cannot show
//
//   - Replication: all brokers share one memory. There are no replicas that fall
//     behind, min.insync.replicas and acks have no effect, nothing is lost by a
//     leader change, and a stopped broker loses nothing.
//   - Dead processes and networks: a broker cannot be frozen or killed, nor a
//     connection cut in the middle; use a real cluster behind kafkatest/proxy.
//   - A classic member that died while its join was pending: it is never expired,
//     and the group waits for it. Kill members only while the group is stable
//     (Stable waits for that), or use KIP-848.
//   - Quotas, throttling, segments and the log cleaner's timing. Retention runs,
//     for all topics, once a topic sets retention or compaction.
//   - The topic __consumer_offsets: commits are seen on the wire instead. A commit
//     whose connection ended before it was answered may have been applied: it is
//     in Unanswered.
//   - group.initial.rebalance.delay.ms: a group's first rebalance starts at once.
//   - The cost of a disk or of a real network: speed says nothing about Kafka.
//
// # States and concurrency
//
// A Broker is running until Close, or until the context of Run ends, and then
// closed for good. It is safe for concurrent use. Its own reads and writes go
// through a client of their own and are bounded by the caller's context.
//
// # Failure
//
// A port that is taken, an unknown topic and a request that the broker refuses are
// errors of the call. Start fails the test instead.
package embedded
