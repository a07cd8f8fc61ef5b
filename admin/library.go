package admin

import "github.com/confluentinc/confluent-kafka-go/v2/kafka"

// LibraryVersion is the version of the librdkafka that is linked in.
func LibraryVersion() string {
	_, version := kafka.LibraryVersion()
	return version
}
