// Package scenario proves the promises of Pitlane on real brokers: each test
// starts Apache Kafka, runs members as processes of their own, breaks something,
// and asks the history checker. There is no product code here.
//
// The worker (scenario/worker) is a user's binary whose processor keeps a
// journal and misbehaves as its configuration says. The rig (scenario/rig)
// writes numbered input, starts and kills processes, and gathers what the
// checker needs: the journals, the outputs and the commits, read back from the
// brokers with another client library.
package scenario
