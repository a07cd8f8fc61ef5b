package processor_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/pitlane-go/pitlane/processor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func message(topic string, partition int32, offset int64, value string) *processor.Message {
	return &processor.Message{Topic: topic, Partition: partition, Offset: offset, Value: []byte(value)}
}

func partition(topic string, p int32) processor.Partition {
	return processor.Partition{Topic: topic, Partition: p}
}
