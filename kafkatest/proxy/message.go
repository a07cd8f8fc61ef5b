package proxy

import (
	"errors"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Request is one request of a client.
type Request struct {
	Broker        int // Config.Broker of the proxy
	Key           kmsg.Key
	Version       int16
	CorrelationID int32
	ClientID      string

	frame []byte // with size and header
	body  []byte // the rest of frame
	done  <-chan struct{}
}

// Frame is the whole frame: size, header, body. It is read-only.
func (r *Request) Frame() []byte { return r.frame }

// Done is closed when the request's connection ends.
func (r *Request) Done() <-chan struct{} { return r.done }

// Decode reads the body. The result is one of kmsg's request types, such as
// *kmsg.OffsetCommitRequest, and may be changed and given to Rewrite.
func (r *Request) Decode() (kmsg.Request, error) {
	codec := kmsg.RequestForKey(r.Key.Int16())
	if err := r.readable(codec); err != nil {
		return nil, err
	}
	codec.SetVersion(r.Version)
	if err := codec.ReadFrom(r.body); err != nil {
		return nil, &DecodeError{Key: r.Key, Version: r.Version, Err: err}
	}
	return codec, nil
}

// EmptyResponse is a response of the request's type and version with default
// values, to be filled and given to Answer. It is nil when the codec does not know
// the request.
func (r *Request) EmptyResponse() kmsg.Response {
	codec := kmsg.RequestForKey(r.Key.Int16())
	if codec == nil {
		return nil
	}
	resp := codec.ResponseKind()
	resp.SetVersion(r.Version)
	return resp
}

func (r *Request) readable(codec kmsg.Request) error {
	switch {
	case codec == nil:
		return &DecodeError{Key: r.Key, Version: r.Version, Err: errors.New("codec does not know the key")}
	case r.Version > codec.MaxVersion():
		return &DecodeError{Key: r.Key, Version: r.Version, Err: errors.New("codec does not know the version")}
	}
	return nil
}

// unanswered says that a broker sends no response: a Produce without acks.
func (r *Request) unanswered() bool {
	if r.Key != kmsg.Produce {
		return false
	}
	req, err := r.Decode()
	if err != nil {
		return false
	}
	produce, ok := req.(*kmsg.ProduceRequest)
	return ok && produce.Acks == 0
}

// Response is a broker's response.
type Response struct {
	Request *Request // what it answers

	frame []byte
	body  []byte
}

// Frame is the whole frame: size, header, body. It is read-only.
func (r *Response) Frame() []byte { return r.frame }

// Decode reads the body. The result is one of kmsg's response types, such as
// *kmsg.OffsetCommitResponse, and may be changed and given to Answer.
func (r *Response) Decode() (kmsg.Response, error) {
	req := r.Request
	if err := req.readable(kmsg.RequestForKey(req.Key.Int16())); err != nil {
		return nil, err
	}
	resp := req.EmptyResponse()
	err := resp.ReadFrom(r.body)
	if err != nil && req.Key == kmsg.ApiVersions {
		// A broker that does not know the request's version answers in version 0.
		resp = req.EmptyResponse()
		resp.SetVersion(0)
		err = resp.ReadFrom(r.body)
	}
	if err != nil {
		return nil, &DecodeError{Key: req.Key, Version: req.Version, Err: err}
	}
	return resp, nil
}
