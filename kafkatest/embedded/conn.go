package embedded

import (
	"encoding/binary"
	"fmt"
	"net"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// wire sees every request and response of the brokers' connections.
type wire struct {
	answeredFunc func(request, response []byte) // of OffsetCommit; set before listening

	mu     sync.Mutex
	counts map[int16]int
	gates  []*gate
}

func newWire() *wire {
	return &wire{counts: map[int16]int{}}
}

func (w *wire) listen(network, address string) (net.Listener, error) {
	l, err := net.Listen(network, address) //nolint:noctx // it returns at once
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return &listener{l, w}, nil
}

type listener struct {
	net.Listener
	wire *wire
}

// Accept wraps each connection.
func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, wire: l.wire, closedCh: make(chan struct{})}, nil
}

// headerSize is what is looked at of each request: key, version, correlation id.
const headerSize = 8

// conn reads along. The broker reads a connection from one goroutine at a time,
// writes one whole response at a time, and takes the next request only after it
// has written the response: so one OffsetCommit at most waits for its answer.
type conn struct {
	net.Conn
	wire     *wire
	closedCh chan struct{}
	once     sync.Once

	// of the reader
	size []byte // the part of the current frame's size that was read
	left int    // bytes of the frame that were not read
	body []byte // what is kept of the frame

	mu      sync.Mutex
	waiting map[uint32][]byte // OffsetCommit requests by correlation id
}

// Read reads from the client; a gate may hold it after a request's header.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		rest = c.follow(rest)
	}
	return n, err
}

// follow takes bytes of one frame at most and returns the rest.
func (c *conn) follow(p []byte) []byte {
	if c.left == 0 {
		n := min(len(p), 4-len(c.size))
		if c.size = append(c.size, p[:n]...); len(c.size) == 4 {
			c.left, c.size, c.body = int(binary.BigEndian.Uint32(c.size)), c.size[:0], nil
		}
		return p[n:]
	}
	n := min(len(p), c.left)
	before := len(c.body)
	if before < headerSize || c.key() == kmsg.OffsetCommit {
		c.body = append(c.body, p[:n]...)
	}
	c.left -= n
	if before < headerSize && len(c.body) >= headerSize {
		c.wire.request(c.key().Int16(), c.closedCh)
	}
	if c.left == 0 && len(c.body) >= headerSize && c.key() == kmsg.OffsetCommit {
		c.mu.Lock()
		if c.waiting == nil {
			c.waiting = map[uint32][]byte{}
		}
		c.waiting[binary.BigEndian.Uint32(c.body[4:])] = c.body
		c.mu.Unlock()
	}
	return p[n:]
}

func (c *conn) key() kmsg.Key { return kmsg.Key(binary.BigEndian.Uint16(c.body)) }

// Write writes one response. A commit is noted before its client can know of it.
func (c *conn) Write(p []byte) (int, error) {
	if len(p) >= headerSize {
		id := binary.BigEndian.Uint32(p[4:])
		c.mu.Lock()
		request := c.waiting[id]
		delete(c.waiting, id)
		c.mu.Unlock()
		if request != nil {
			c.wire.answeredFunc(request, p)
		}
	}
	return c.Conn.Write(p)
}

// Close also ends what is held.
func (c *conn) Close() error {
	c.once.Do(func() { close(c.closedCh) })
	return c.Conn.Close()
}
