package delivery

import (
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/pitlane-go/pitlane/processor"
)

// NewWithClient makes a producer over a client that the test brings.
func NewWithClient(cfg Config, c Client) (*Producer, error) {
	return newProducer(cfg, func(map[string]string) (Client, error) { return c, nil })
}

// RuleRefused and RuleReported open the table of codes to its test.
func RuleRefused(code kafka.ErrorCode) (processor.Class, string) {
	r := ruleRefused(code)
	return r.class, r.advice
}

func RuleReported(code kafka.ErrorCode) (processor.Class, string) {
	r := ruleReported(code)
	return r.class, r.advice
}
