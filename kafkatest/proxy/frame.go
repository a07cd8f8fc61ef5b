package proxy

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	sizeBytes = 4
	// frameMin is a request header without a client id, and more than a response
	// header needs.
	frameMin = 4
	// frameMax is above what brokers accept or send; the first bytes of a TLS
	// handshake read as a size are above it.
	frameMax = 256 << 20
)

// readFrame reads one frame, its size included. When the size is out of range it
// returns the bytes read so far and errNotAFrame.
func readFrame(r io.Reader) ([]byte, error) {
	var head [sizeBytes]byte
	if n, err := io.ReadFull(r, head[:]); err != nil {
		if n > 0 {
			return head[:n], fmt.Errorf("%w: %w", errNotAFrame, err)
		}
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size < frameMin || size > frameMax {
		return head[:], errNotAFrame
	}
	frame := make([]byte, sizeBytes+size)
	copy(frame, head[:])
	if _, err := io.ReadFull(r, frame[sizeBytes:]); err != nil {
		return nil, fmt.Errorf("read frame: %w", err)
	}
	return frame, nil
}

// parseRequest reads the header of a request frame.
func parseRequest(frame []byte) (*Request, error) {
	b := kbin.Reader{Src: frame[sizeBytes:]}
	r := &Request{frame: frame}
	r.Key = kmsg.Key(b.Int16())
	r.Version = b.Int16()
	r.CorrelationID = b.Int32()
	if id := b.NullableString(); id != nil {
		r.ClientID = *id
	}
	if codec := kmsg.RequestForKey(r.Key.Int16()); codec != nil {
		codec.SetVersion(r.Version)
		if codec.IsFlexible() {
			kmsg.SkipTags(&b)
		}
	}
	if err := b.Complete(); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotAFrame, err)
	}
	r.body = b.Src
	return r, nil
}

// parseResponse reads the header of a response frame; the request tells its form.
func parseResponse(frame []byte, req *Request) *Response {
	b := kbin.Reader{Src: frame[sizeBytes:]}
	b.Int32() // correlation id
	if flexibleResponse(req) {
		kmsg.SkipTags(&b)
	}
	return &Response{Request: req, frame: frame, body: b.Src}
}

// flexibleResponse says whether the response's header has tags. That of ApiVersions
// never has: a client must understand it whatever the broker's age (KIP-511).
func flexibleResponse(req *Request) bool {
	codec := kmsg.RequestForKey(req.Key.Int16())
	if codec == nil || req.Key == kmsg.ApiVersions {
		return false
	}
	codec.SetVersion(req.Version)
	return codec.IsFlexible()
}

func correlationOf(frame []byte) int32 {
	return int32(binary.BigEndian.Uint32(frame[sizeBytes:]))
}

// requestFrame encodes body with the header of the request it replaces.
func requestFrame(old *Request, body kmsg.Request) []byte {
	body.SetVersion(old.Version)
	head := old.frame[sizeBytes : len(old.frame)-len(old.body)]
	return sized(body.AppendTo(append(make([]byte, sizeBytes, len(old.frame)), head...)))
}

// responseFrame encodes a response to req.
func responseFrame(req *Request, body kmsg.Response) []byte {
	body.SetVersion(req.Version)
	out := kbin.AppendInt32(make([]byte, sizeBytes), req.CorrelationID)
	if flexibleResponse(req) {
		out = append(out, 0) // no tags
	}
	return sized(body.AppendTo(out))
}

func sized(frame []byte) []byte {
	binary.BigEndian.PutUint32(frame, uint32(len(frame)-sizeBytes))
	return frame
}
