package admin

import (
	"context"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// Cluster is what answers at the bootstrap addresses.
type Cluster struct {
	// ID is the cluster's id, empty if it has none.
	ID string
	// Controller is the controller's broker id, or -1. With KRaft it is any broker.
	Controller int32
	Brokers    []Broker
}

// Broker is one broker as it advertises itself to this client.
type Broker struct {
	ID   int32
	Host string
	Port int
	Rack string
}

// Ping tells whether the cluster can be reached, and what it is. The error says
// what failed in the client's own words: refused, unknown host, handshake.
func (c *Client) Ping(ctx context.Context) (Cluster, error) {
	d, err := ask(ctx, c, "connect to the brokers", func(ctx context.Context, limit time.Duration) (kafka.DescribeClusterResult, error) {
		return c.admin.DescribeCluster(ctx, kafka.SetAdminRequestTimeout(limit))
	})
	if err != nil {
		return Cluster{}, err
	}
	cluster := Cluster{Controller: -1}
	if d.ClusterID != nil {
		cluster.ID = *d.ClusterID
	}
	if d.Controller != nil {
		cluster.Controller = int32(d.Controller.ID)
	}
	for _, n := range d.Nodes {
		b := Broker{ID: int32(n.ID), Host: n.Host, Port: n.Port}
		if n.Rack != nil {
			b.Rack = *n.Rack
		}
		cluster.Brokers = append(cluster.Brokers, b)
	}
	return cluster, nil
}
