// Package proxy puts faults between a Kafka client and a broker: refused and reset
// connections, black holes, dropped SYNs, delay, limited bandwidth, and a hook that
// sees every request and response and can hold, drop, answer or rewrite it.
//
// A Proxy stands before one broker, a Set before all brokers of a cluster. The
// brokers have to advertise the proxies' addresses: see World of
// kafkatest/cluster. Listen below port 32768: an outgoing connection of any process
// may take a higher port while a fault has it closed.
//
// # The way of a byte
//
//	client -> hook -> toxics -> outlet -> broker
//	client <- hook <- outlet <- toxics <- broker
//
// The hook works on whole frames of the Kafka protocol and is next to the client.
// The toxics are those of github.com/Shopify/toxiproxy, whose links this package
// drives with connections of its own: toxiproxy's proxy leaves goroutines behind
// when a peer goes away with bytes under way, and its chain cannot be changed while
// a link in it is blocked. The outlet is the toxic that holds bytes: while a
// direction is black-holed the bytes wait there, then in the kernel's buffers, and
// flow on Heal, as after a real partition whose packets are sent again. The end of
// a connection is held like a byte.
//
// # States of the listener
//
//	accepting --Refuse--> refusing --Accept, Heal--> accepting
//	accepting --DropSYN--> silent --Heal--> accepting
//	any --Close--> closed
//
// Faults of different kinds can be on together. Heal ends them all; hooks stay.
//
// # Concurrency
//
// All methods are safe for concurrent use. A hook runs on the goroutine of its
// connection and direction, so several run at once; it may call the proxy's faults,
// but not Close. While a frame is held, those behind it in the same direction of
// the same connection wait, as with a slow broker.
//
// # Failure
//
// What is not a frame of the Kafka protocol (TLS, for example) makes its connection
// a plain one without hooks. When the broker cannot be reached the client's
// connection is reset. Close ends everything and returns when every goroutine has.
package proxy
