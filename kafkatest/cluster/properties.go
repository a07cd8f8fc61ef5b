package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// clusterID is the id of every cluster: they never meet.
const clusterID = "MkU3OEVBNTcwNTJENDM2Qk"

// ownProperties are those that Config.Properties may not set, because the rest of
// the package relies on them.
func ownProperties() []string {
	return []string{
		"advertised.listeners", "controller.listener.names", "controller.quorum.voters",
		"inter.broker.listener.name", "listeners", "log.dirs", "node.id", "process.roles",
	}
}

// properties writes one broker's server.properties.
func properties(cfg Config, p ports, broker int, dataDir string) string {
	props := map[string]string{
		"default.replication.factor":                       strconv.Itoa(cfg.Brokers),
		"min.insync.replicas":                              strconv.Itoa((cfg.Brokers + 1) / 2),
		"offsets.topic.replication.factor":                 strconv.Itoa(cfg.Brokers),
		"transaction.state.log.replication.factor":         strconv.Itoa(cfg.Brokers),
		"transaction.state.log.min.isr":                    strconv.Itoa((cfg.Brokers + 1) / 2),
		"share.coordinator.state.topic.min.isr":            strconv.Itoa((cfg.Brokers + 1) / 2),
		"share.coordinator.state.topic.num.partitions":     "1",
		"share.coordinator.state.topic.replication.factor": strconv.Itoa(cfg.Brokers),
		// Few partitions: they decide how fast the first group and the first
		// transaction start.
		"offsets.topic.num.partitions":         "8",
		"transaction.state.log.num.partitions": "8",
		// The history of commits is read from the offsets topic: nothing may be
		// compacted away.
		"log.cleaner.enable":               "false",
		"group.initial.rebalance.delay.ms": "0",
		"auto.create.topics.enable":        "false",
		"num.network.threads":              "2",
		"num.io.threads":                   "4",
		"num.partitions":                   "4",
	}
	maps.Copy(props, cfg.Properties)
	maps.Copy(props, ownListeners(cfg, p, broker))
	props["process.roles"] = "broker,controller"
	props["node.id"] = strconv.Itoa(broker)
	props["log.dirs"] = dataDir

	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(props)) {
		fmt.Fprintf(&b, "%s=%s\n", k, props[k])
	}
	return b.String()
}

func ownListeners(cfg Config, p ports, broker int) map[string]string {
	direct := "PLAINTEXT://" + addr(p.direct(broker))
	listeners := []string{direct, "CONTROLLER://" + addr(p.controller(broker))}
	advertised := []string{direct}
	protocols := []string{"PLAINTEXT:PLAINTEXT", "CONTROLLER:PLAINTEXT"}
	for w := range cfg.ExtraListeners {
		name := fmt.Sprintf("WORLD%d", w)
		listeners = append(listeners, name+"://"+addr(p.listen(w, broker)))
		advertised = append(advertised, name+"://"+addr(p.advertised(w, broker)))
		protocols = append(protocols, name+":PLAINTEXT")
	}
	var voters []string
	for i := 1; i <= cfg.Brokers; i++ {
		voters = append(voters, fmt.Sprintf("%d@%s", i, addr(p.controller(i))))
	}
	out := map[string]string{
		"listeners":                  strings.Join(listeners, ","),
		"advertised.listeners":       strings.Join(advertised, ","),
		"inter.broker.listener.name": "PLAINTEXT",
		"controller.listener.names":  "CONTROLLER",
		"controller.quorum.voters":   strings.Join(voters, ","),
	}
	// A test may add listeners' security settings, but needs these protocols.
	if _, ok := cfg.Properties["listener.security.protocol.map"]; !ok {
		out["listener.security.protocol.map"] = strings.Join(protocols, ",")
	}
	return out
}
