package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"
)

// fillTimeout is how long a connection to a full listener is waited for: on the
// loopback interface one that is not taken at once never is.
const fillTimeout = 50 * time.Millisecond

// fillMax is more than a listener with a backlog of 0 takes.
const fillMax = 4

// acceptor is one life of the proxy's listener.
type acceptor struct {
	ln net.Listener
	wg sync.WaitGroup
}

// listen takes connections until close.
func listen(address string, each func(*net.TCPConn)) (*acceptor, error) {
	ln, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	a := &acceptor{ln: ln}
	a.wg.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return // closed; on the loopback interface nothing else happens
			}
			if tcp, ok := conn.(*net.TCPConn); ok {
				each(tcp)
			}
		}
	})
	return a, nil
}

func (a *acceptor) close() {
	_ = a.ln.Close()
	a.wg.Wait()
}

// fullQueue is a listener that takes no connection: its queue is full, so the
// kernel drops further SYNs and clients wait, as for a host that is cut off.
type fullQueue struct {
	fd    int
	conns []net.Conn // ours, which fill it
}

func newFullQueue(address string) (*fullQueue, error) {
	addr, err := net.ResolveTCPAddr("tcp4", address)
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", address, err)
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("create socket: %w", err)
	}
	q := &fullQueue{fd: fd}
	to := &syscall.SockaddrInet4{Port: addr.Port}
	copy(to.Addr[:], addr.IP.To4())
	err = errors.Join(
		syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1),
		syscall.Bind(fd, to),
		syscall.Listen(fd, 0))
	if err != nil {
		q.close()
		return nil, fmt.Errorf("listen without a queue: %w", err)
	}
	dialer := net.Dialer{Timeout: fillTimeout}
	for range fillMax {
		conn, err := dialer.DialContext(context.Background(), "tcp4", address)
		if err != nil {
			return q, nil //nolint:nilerr // full: what is wanted
		}
		q.conns = append(q.conns, conn)
	}
	q.close()
	return nil, errors.New("fill the queue of a listener: it takes every connection")
}

func (q *fullQueue) close() {
	_ = syscall.Close(q.fd)
	for _, c := range q.conns {
		_ = c.Close()
	}
}
