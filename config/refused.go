package config

import (
	"errors"
	"fmt"

	"github.com/pitlane-go/pitlane/consumerset"
	"github.com/pitlane-go/pitlane/delivery"
)

// checkProperty says why a raw property cannot be set by its role, in words
// that follow the property's path. Those of client go to both kinds of client.
func checkProperty(role Role, name, value string) error {
	if key := ownedBy(name); key != "" {
		return fmt.Errorf("is set by the key %s", key)
	}
	var err error
	if role != RoleProducer {
		err = consumerset.CheckProperty(name, value)
	}
	if err == nil && role != RoleConsumer {
		err = delivery.CheckProperty(name, value)
	}
	var (
		consumer *consumerset.PropertyError
		producer *delivery.RefusedError
	)
	switch {
	case errors.As(err, &consumer):
		return fmt.Errorf("cannot be %q: %s", value, consumer.Reason)
	case errors.As(err, &producer):
		return fmt.Errorf("cannot be %q (%s is refused): %s", value, producer.Rule, producer.Reason)
	}
	return err
}

// ownedBy gives the key that sets a client property, or "". The rooms refuse
// some of them too; here they carry the name of the key.
func ownedBy(property string) string {
	return map[string]string{
		"bootstrap.servers":             "brokers",
		"metadata.broker.list":          "brokers",
		"client.id":                     "client_id",
		"group.id":                      "group",
		"group.protocol":                "rebalance.protocol",
		"partition.assignment.strategy": "rebalance.assignor",
		"session.timeout.ms":            "rebalance.session_timeout",
		"group.instance.id":             "rebalance.instance_id",
		"isolation.level":               "isolation",
		"auto.offset.reset":             "start",
		"message.timeout.ms":            "delivery.timeout",
		"delivery.timeout.ms":           "delivery.timeout",
	}[property]
}
