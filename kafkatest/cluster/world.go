package cluster

// World is one set of extra listeners. Index i belongs to broker i+1.
type World struct {
	// Listen is where the brokers listen: the upstreams of a proxy.
	Listen []string

	// Advertised is what the brokers tell to clients that come through this world:
	// where a proxy has to listen. Nothing listens there by itself.
	Advertised []string
}

// ports is the layout of a cluster's block: direct, controller, then two for each
// world, each as many as there are brokers.
type ports struct {
	base, brokers, worlds int
}

func (p ports) count() int { return p.brokers * (2 + 2*p.worlds) }

func (p ports) at(row, broker int) int { return p.base + row*p.brokers + broker - 1 }

func (p ports) direct(broker int) int     { return p.at(0, broker) }
func (p ports) controller(broker int) int { return p.at(1, broker) }
func (p ports) listen(world, broker int) int {
	return p.at(2+2*world, broker)
}

func (p ports) advertised(world, broker int) int {
	return p.at(3+2*world, broker)
}

func (p ports) world(i int) World {
	var w World
	for b := 1; b <= p.brokers; b++ {
		w.Listen = append(w.Listen, addr(p.listen(i, b)))
		w.Advertised = append(w.Advertised, addr(p.advertised(i, b)))
	}
	return w
}
