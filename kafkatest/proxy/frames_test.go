package proxy_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pitlane-go/pitlane/kafkatest/proxy"
)

// The frames of these tests are written by hand, so that they do not depend on the
// codec that the proxy uses.

// heartbeat is a request of version 4, which has a header with tags.
func heartbeat(correlation byte, group string) []byte {
	body := []byte{0, 12, 0, 4, 0, 0, 0, correlation, 0, 2, 'm', 'e', 0} // key, version, correlation, client id, no tags
	body = append(body, byte(len(group)+1))
	body = append(body, group...)
	body = append(body, 0, 0, 0, 7, 2, 'x', 0, 0) // generation, member, no instance, no tags
	return sized(body)
}

// heartbeatResponse has the header with tags that version 4 wants.
func heartbeatResponse(correlation byte, code byte) []byte {
	return sized([]byte{0, 0, 0, correlation, 0, 0, 0, 0, 0, 0, code, 0})
}

func sized(body []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...)
}

func readFrame(t *testing.T, c net.Conn) []byte {
	t.Helper()
	must(t, c.SetReadDeadline(time.Now().Add(soon)))
	head := make([]byte, 4)
	_, err := io.ReadFull(c, head)
	must(t, err)
	frame := make([]byte, binary.BigEndian.Uint32(head))
	_, err = io.ReadFull(c, frame)
	must(t, err)
	return append(head, frame...)
}

// frames is a proxy, a client's connection to it, and the broker's end of it.
func frames(t *testing.T) (*proxy.Proxy, net.Conn, net.Conn) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	conns := make(chan net.Conn, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		c, err := ln.Accept()
		if err == nil {
			conns <- c
		}
	})
	p := proxy.Start(t, proxy.Config{Upstream: ln.Addr().String(), Broker: 3})
	client := dial(t, p)
	wg.Wait()
	server := <-conns
	t.Cleanup(func() { _, _ = server.Close(), ln.Close() })
	return p, client, server
}

func equal(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func TestHooksSeeWhatPassesAndPassItUnchanged(t *testing.T) {
	p, client, server := frames(t)
	seen := make(chan *proxy.Request, 1)
	p.OnRequest(kmsg.Heartbeat, func(r *proxy.Request) proxy.Action { seen <- r; return proxy.Pass() })
	answered := make(chan *proxy.Response, 1)
	p.OnResponse(proxy.AnyKey, func(r *proxy.Response) proxy.Action { answered <- r; return proxy.Pass() })

	send(t, client, string(heartbeat(9, "group")))
	equal(t, "request", readFrame(t, server), heartbeat(9, "group"))
	send(t, server, string(heartbeatResponse(9, 27)))
	equal(t, "response", readFrame(t, client), heartbeatResponse(9, 27))

	r := <-seen
	if r.Broker != 3 || r.Key != kmsg.Heartbeat || r.Version != 4 || r.CorrelationID != 9 || r.ClientID != "me" {
		t.Errorf("request %+v", r)
	}
	equal(t, "frame", r.Frame(), heartbeat(9, "group"))
	req, err := r.Decode()
	must(t, err)
	if h := req.(*kmsg.HeartbeatRequest); h.Group != "group" || h.Generation != 7 || h.MemberID != "x" {
		t.Errorf("decoded request %+v", h)
	}
	resp, err := (<-answered).Decode()
	must(t, err)
	if h := resp.(*kmsg.HeartbeatResponse); h.ErrorCode != 27 {
		t.Errorf("decoded response %+v", h)
	}
	if p.Requests(kmsg.Heartbeat) != 1 || p.Requests(kmsg.Fetch) != 0 || p.Requests(proxy.AnyKey) != 1 {
		t.Errorf("counted %d heartbeats of %d requests", p.Requests(kmsg.Heartbeat), p.Requests(proxy.AnyKey))
	}
}

func TestAHeldRequestGoesOnWhenReleasedAndThoseBehindItWait(t *testing.T) {
	p, client, server := frames(t)
	held := p.CatchRequest(kmsg.Heartbeat)
	send(t, client, string(heartbeat(1, "a"))+string(heartbeat(2, "b")))
	if r := <-held.Caught(); r.CorrelationID != 1 {
		t.Errorf("held %+v", r)
	}
	receiveNothing(t, server)
	held.Release()
	equal(t, "first", readFrame(t, server), heartbeat(1, "a"))
	equal(t, "second", readFrame(t, server), heartbeat(2, "b"))
}

func TestAHeldResponseGoesOnWhenReleased(t *testing.T) {
	p, client, server := frames(t)
	held := p.CatchResponse(kmsg.Heartbeat)
	send(t, client, string(heartbeat(1, "a")))
	readFrame(t, server)
	send(t, server, string(heartbeatResponse(1, 0)))
	<-held.Caught()
	receiveNothing(t, client)
	held.Release()
	equal(t, "response", readFrame(t, client), heartbeatResponse(1, 0))
}

func TestAHeldFrameEndsWithItsConnection(t *testing.T) {
	p, client, _ := frames(t)
	held := p.CatchRequest(kmsg.Heartbeat)
	send(t, client, string(heartbeat(1, "a")))
	r := <-held.Caught()
	p.Disconnect()
	receiveReset(t, client)
	select {
	case <-r.Done():
	case <-time.After(soon):
		t.Error("Done of a request on a reset connection is not closed")
	}
	p.Close() // must not wait for the release
}

func TestADroppedRequestAndADroppedResponseLeaveTheOthers(t *testing.T) {
	p, client, server := frames(t)
	p.OnRequest(kmsg.Heartbeat, func(r *proxy.Request) proxy.Action {
		if r.CorrelationID == 1 {
			return proxy.Drop()
		}
		return proxy.Pass()
	})
	p.OnResponse(kmsg.Heartbeat, func(r *proxy.Response) proxy.Action {
		if r.Request.CorrelationID == 2 {
			return proxy.Drop()
		}
		return proxy.Pass()
	})
	send(t, client, string(heartbeat(1, "a"))+string(heartbeat(2, "b"))+string(heartbeat(3, "c")))
	equal(t, "first that passes", readFrame(t, server), heartbeat(2, "b"))
	equal(t, "second that passes", readFrame(t, server), heartbeat(3, "c"))
	send(t, server, string(heartbeatResponse(2, 0))+string(heartbeatResponse(3, 0)))
	equal(t, "the response", readFrame(t, client), heartbeatResponse(3, 0))
}

// Clients match responses by order: an answer must not overtake.
func TestAnAnswerKeepsThePlaceOfItsRequest(t *testing.T) {
	p, client, server := frames(t)
	p.OnRequest(kmsg.Heartbeat, func(r *proxy.Request) proxy.Action {
		if r.CorrelationID != 2 {
			return proxy.Pass()
		}
		resp := r.EmptyResponse().(*kmsg.HeartbeatResponse)
		resp.ErrorCode = 16
		return proxy.Answer(resp)
	})
	send(t, client, string(heartbeat(1, "a"))+string(heartbeat(2, "b"))+string(heartbeat(3, "c")))
	equal(t, "first", readFrame(t, server), heartbeat(1, "a"))
	equal(t, "third", readFrame(t, server), heartbeat(3, "c"))
	receiveNothing(t, client)
	send(t, server, string(heartbeatResponse(1, 0)))
	equal(t, "first response", readFrame(t, client), heartbeatResponse(1, 0))
	equal(t, "the answer", readFrame(t, client), heartbeatResponse(2, 16))
	send(t, server, string(heartbeatResponse(3, 0)))
	equal(t, "third response", readFrame(t, client), heartbeatResponse(3, 0))

	send(t, client, string(heartbeat(2, "alone")))
	equal(t, "an answer with nothing before it", readFrame(t, client), heartbeatResponse(2, 16))
}

// A broker answers a produce request without acks with nothing: what comes after it
// must not wait for that.
func TestAProduceWithoutAcksHoldsUpNoAnswer(t *testing.T) {
	p, client, server := frames(t)
	p.OnRequest(kmsg.Heartbeat, func(r *proxy.Request) proxy.Action { return proxy.Answer(r.EmptyResponse()) })
	produce := sized([]byte{
		0, 0, 0, 3, 0, 0, 0, 1, 0, 2, 'm', 'e', // version 3, correlation id, client id
		0xff, 0xff, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, // no transaction, acks 0, timeout, no topics
	})
	send(t, client, string(produce)+string(heartbeat(2, "b")))
	equal(t, "produce", readFrame(t, server), produce)
	equal(t, "answer", readFrame(t, client), heartbeatResponse(2, 0))
}

func TestRequestsAndResponsesAreRewritten(t *testing.T) {
	p, client, server := frames(t)
	p.OnRequest(kmsg.Heartbeat, func(r *proxy.Request) proxy.Action {
		req, err := r.Decode()
		if err != nil {
			t.Error(err)
			return proxy.Pass()
		}
		req.(*kmsg.HeartbeatRequest).Group = "other"
		return proxy.Rewrite(req)
	})
	off := p.OnResponse(kmsg.Heartbeat, func(r *proxy.Response) proxy.Action {
		resp, err := r.Decode()
		if err != nil {
			t.Error(err)
			return proxy.Pass()
		}
		resp.(*kmsg.HeartbeatResponse).ErrorCode = 25
		return proxy.Answer(resp)
	})
	send(t, client, string(heartbeat(1, "group")))
	equal(t, "request", readFrame(t, server), heartbeat(1, "other"))
	send(t, server, string(heartbeatResponse(1, 0)))
	equal(t, "response", readFrame(t, client), heartbeatResponse(1, 25))

	off()
	send(t, client, string(heartbeat(2, "group")))
	readFrame(t, server)
	send(t, server, string(heartbeatResponse(2, 0)))
	equal(t, "response without the hook", readFrame(t, client), heartbeatResponse(2, 0))
}

func TestAHookDisconnects(t *testing.T) {
	p, client, server := frames(t)
	p.OnRequest(kmsg.Heartbeat, func(*proxy.Request) proxy.Action { return proxy.Disconnect() })
	send(t, client, string(heartbeat(1, "a")))
	receiveReset(t, client)
	receiveReset(t, server)
}

func TestHooksWorkWithToxicsOn(t *testing.T) {
	p, client, server := frames(t)
	const delay = 50 * time.Millisecond
	must(t, p.Latency(delay, 0))
	p.OnRequest(kmsg.Heartbeat, func(*proxy.Request) proxy.Action { return proxy.Pass() })
	began := time.Now()
	send(t, client, string(heartbeat(1, "a")))
	equal(t, "request", readFrame(t, server), heartbeat(1, "a"))
	if took := time.Since(began); took < delay {
		t.Errorf("the request took %v", took)
	}
	p.Blackhole(proxy.Downstream)
	send(t, server, string(heartbeatResponse(1, 0)))
	receiveNothing(t, client)
	must(t, p.Heal())
	equal(t, "response", readFrame(t, client), heartbeatResponse(1, 0))
}

func TestWhatIsNoFramePassesAsItIs(t *testing.T) {
	for name, text := range map[string]string{
		"a TLS handshake":      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"a cut header":         "\x00\x00",
		"a client id too long": string(sized([]byte{0, 12, 0, 4, 0, 0, 0, 1, 0x7f, 0xff, 'm'})),
	} {
		t.Run(name, func(t *testing.T) {
			_, client, server := frames(t)
			send(t, client, text)
			must(t, client.(*net.TCPConn).CloseWrite())
			receive(t, server, text)
			send(t, server, "\x15\x03\x01 no frame either")
			receive(t, client, "\x15\x03\x01 no frame either")
		})
	}
}
