package proxy_test

import (
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/kafkatest/proxy"
)

func TestBytesPassBothWaysAndSoDoesTheEnd(t *testing.T) {
	p := setup(t)
	c := dial(t, p)
	send(t, c, "hello")
	receive(t, c, "hello")
	must(t, c.(*net.TCPConn).CloseWrite())
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %v, want EOF", err)
	}
}

func TestRefuseResetsAndRefusesUntilAccept(t *testing.T) {
	p := setup(t)
	c := dial(t, p)
	send(t, c, "a")
	receive(t, c, "a")
	p.Refuse()
	receiveReset(t, c)
	if _, err := net.DialTimeout("tcp", p.Addr(), soon); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dial while refusing: %v", err)
	}
	must(t, p.Accept())
	c = dial(t, p)
	send(t, c, "b")
	receive(t, c, "b")
	if got := p.Accepted(); got != 2 {
		t.Errorf("accepted %d connections, want 2", got)
	}
}

func TestDisconnectResetsOnce(t *testing.T) {
	p := setup(t)
	c := dial(t, p)
	send(t, c, "a")
	receive(t, c, "a")
	p.Disconnect()
	receiveReset(t, c)
	c = dial(t, p)
	send(t, c, "b")
	receive(t, c, "b")
}

func TestBlackholeHoldsBytesAndTheyFlowOnHeal(t *testing.T) {
	p := setup(t)
	before := dial(t, p)
	send(t, before, "a")
	receive(t, before, "a")
	p.Blackhole()
	send(t, before, "b")
	during := dial(t, p) // taken, as by a kernel whose program hangs
	send(t, during, "c")
	receiveNothing(t, before)
	receiveNothing(t, during)
	must(t, p.Heal())
	receive(t, before, "b")
	receive(t, during, "c")
}

func TestBlackholeOfTheWayToTheBrokerHoldsNewConnectionsToo(t *testing.T) {
	p := setup(t)
	p.Blackhole(proxy.Upstream)
	c := dial(t, p)
	send(t, c, "a")
	receiveNothing(t, c)
	must(t, p.Heal())
	receive(t, c, "a")
}

func TestBlackholeOfOneDirectionLetsTheOtherPass(t *testing.T) {
	upstream := make(chan string, 1)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	served := make(chan struct{})
	go func() {
		defer close(served)
		c, err := ln.Accept()
		if err != nil {
			return
		}
		b := make([]byte, 4)
		_, _ = io.ReadFull(c, b)
		upstream <- string(b)
		_, _ = c.Write([]byte("pong"))
		_ = c.Close()
	}()
	defer func() {
		_ = ln.Close()
		<-served
	}()
	p := proxy.Start(t, proxy.Config{Upstream: ln.Addr().String(), Raw: true})
	p.Blackhole(proxy.Downstream)
	c := dial(t, p)
	send(t, c, "ping")
	select {
	case got := <-upstream:
		if got != "ping" {
			t.Errorf("the server received %q", got)
		}
	case <-time.After(soon):
		t.Fatal("the request did not pass")
	}
	receiveNothing(t, c) // neither the bytes nor the end
	must(t, p.Heal())
	receive(t, c, "pong")
}

func TestDropSYNAnswersNothingUntilHeal(t *testing.T) {
	p := setup(t)
	before := dial(t, p)
	send(t, before, "a")
	receive(t, before, "a")
	must(t, p.DropSYN())
	send(t, before, "b")
	receiveNothing(t, before)
	_, err := net.DialTimeout("tcp", p.Addr(), quiet)
	if timeout, ok := errors.AsType[net.Error](err); !ok || !timeout.Timeout() {
		t.Errorf("dial: %v, want a timeout", err)
	}
	must(t, p.Heal())
	receive(t, before, "b")
	c := dial(t, p)
	send(t, c, "c")
	receive(t, c, "c")
}

func TestLatencyDelaysEachDirection(t *testing.T) {
	p := setup(t)
	c := dial(t, p)
	const delay = 100 * time.Millisecond
	must(t, p.Latency(delay, 0))
	began := time.Now()
	send(t, c, "a")
	receive(t, c, "a")
	if took := time.Since(began); took < 2*delay {
		t.Errorf("the round trip took %v, want at least %v", took, 2*delay)
	}
	must(t, p.Heal())
	began = time.Now()
	send(t, c, "b")
	receive(t, c, "b")
	if took := time.Since(began); took > 2*delay {
		t.Errorf("the round trip took %v after Heal", took)
	}
}

func TestBandwidthLimitsTheRate(t *testing.T) {
	p := setup(t)
	c := dial(t, p)
	must(t, p.Bandwidth(100_000))
	text := strings.Repeat("x", 30_000)
	began := time.Now()
	send(t, c, text)
	receive(t, c, text)
	if took := time.Since(began); took < 250*time.Millisecond {
		t.Errorf("30 kB at 100 kB/s took %v", took)
	}
}

func TestResetAfterResetsOldAndNewConnections(t *testing.T) {
	p := setup(t)
	before := dial(t, p)
	send(t, before, "a")
	receive(t, before, "a")
	p.ResetAfter(50 * time.Millisecond)
	receiveReset(t, before)
	receiveReset(t, dial(t, p))
	must(t, p.Heal())
	c := dial(t, p)
	receiveNothing(t, c)
}

// A peer that reads nothing fills all buffers on the way; faults must be switched
// and the proxy closed all the same.
func TestFaultsAreSwitchedWhileAPeerReadsNothing(t *testing.T) {
	p := setup(t)
	c := dial(t, p)
	must(t, c.SetWriteDeadline(time.Now().Add(2*time.Second)))
	block := make([]byte, 1<<20)
	for {
		if _, err := c.Write(block); err != nil {
			break // the echo is stuck as well: everything is full
		}
	}
	began := time.Now()
	must(t, p.Latency(time.Second, 0))
	must(t, p.Bandwidth(1000))
	p.Blackhole()
	must(t, p.Heal())
	must(t, p.Latency(time.Minute, 0))
	p.Close()
	if took := time.Since(began); took > soon {
		t.Errorf("switching took %v", took)
	}
}

func TestAClosedProxyStaysClosed(t *testing.T) {
	p, err := proxy.New(proxy.Config{Upstream: echo(t)})
	must(t, err)
	p.Close()
	p.Close()
	for name, err := range map[string]error{"Accept": p.Accept(), "Heal": p.Heal(), "DropSYN": p.DropSYN()} {
		if !errors.Is(err, proxy.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnUnreachableBrokerMeansAReset(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, ln.Close())
	p := proxy.Start(t, proxy.Config{Upstream: ln.Addr().String()})
	c, err := net.DialTimeout("tcp", p.Addr(), soon)
	if errors.Is(err, syscall.ECONNRESET) {
		return // as quick as that
	}
	must(t, err)
	defer func() { _ = c.Close() }()
	receiveReset(t, c)
}

func TestConfigErrorsNameTheField(t *testing.T) {
	if _, err := proxy.New(proxy.Config{}); !errors.Is(err, proxy.ErrConfig) || !strings.Contains(err.Error(), "Upstream") {
		t.Errorf("no upstream: %v", err)
	}
	if _, err := proxy.NewSet(proxy.SetConfig{Listen: []string{"127.0.0.1:0"}}); !errors.Is(err, proxy.ErrConfig) {
		t.Errorf("no upstreams: %v", err)
	}
}
