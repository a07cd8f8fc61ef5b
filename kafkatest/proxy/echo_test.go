package proxy_test

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest/proxy"
)

const (
	soon  = 10 * time.Second       // by when what is expected must come
	quiet = 150 * time.Millisecond // how long nothing must come
)

// echo is a server that sends back what it gets. It returns its address.
func echo(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				_, _ = io.Copy(c, c)
				_ = c.Close()
			})
		}
	})
	t.Cleanup(func() {
		_ = ln.Close()
		wg.Wait()
	})
	return ln.Addr().String()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// setup is a plain proxy before an echo server.
func setup(t *testing.T) *proxy.Proxy {
	t.Helper()
	return proxy.Start(t, proxy.Config{Upstream: echo(t), Raw: true})
}

func dial(t *testing.T, p *proxy.Proxy) net.Conn {
	t.Helper()
	c, err := net.DialTimeout("tcp", p.Addr(), soon)
	must(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func send(t *testing.T, c net.Conn, text string) {
	t.Helper()
	_, err := c.Write([]byte(text))
	must(t, err)
}

// receive reads until as many bytes as text has are there.
func receive(t *testing.T, c net.Conn, text string) {
	t.Helper()
	must(t, c.SetReadDeadline(time.Now().Add(soon)))
	b := make([]byte, len(text))
	if _, err := io.ReadFull(c, b); err != nil {
		t.Fatalf("waiting for %q: %v", text, err)
	}
	if string(b) != text {
		t.Fatalf("received %q, want %q", b, text)
	}
}

func receiveNothing(t *testing.T, c net.Conn) {
	t.Helper()
	must(t, c.SetReadDeadline(time.Now().Add(quiet)))
	n, err := c.Read(make([]byte, 1))
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("read %d bytes, error %v, want nothing", n, err)
	}
}

func receiveReset(t *testing.T, c net.Conn) {
	t.Helper()
	must(t, c.SetReadDeadline(time.Now().Add(soon)))
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Fatalf("error %v, want a reset", err)
	}
}
