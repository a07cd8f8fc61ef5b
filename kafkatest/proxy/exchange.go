package proxy

import (
	"io"
	"slices"
	"sync"
)

// call is a request that waits for its response.
type call struct {
	request *Request
	answer  []byte // a hook's answer, waiting for its turn
}

// exchange matches a connection's responses with its requests, and keeps what goes
// to the client in the order of the requests: clients rely on it.
type exchange struct {
	mu     sync.Mutex
	calls  []*call // in the order of the requests
	client io.Writer
}

// sent notes a request that the broker will answer.
func (e *exchange) sent(r *Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = append(e.calls, &call{request: r})
}

// answered notes a request that a hook has answered.
func (e *exchange) answered(r *Request, frame []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = append(e.calls, &call{request: r, answer: frame})
	return e.flush()
}

// find returns the request that a response belongs to, nil for none.
func (e *exchange) find(correlation int32) *Request {
	e.mu.Lock()
	defer e.mu.Unlock()
	if i := e.index(correlation); i >= 0 {
		return e.calls[i].request
	}
	return nil
}

// received passes a broker's response on; a nil frame is one that was dropped.
func (e *exchange) received(r *Request, frame []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if i := e.index(r.CorrelationID); i >= 0 {
		e.calls = slices.Delete(e.calls, i, i+1)
	}
	if frame != nil {
		if _, err := e.client.Write(frame); err != nil {
			return err
		}
	}
	return e.flush()
}

// index skips calls with a hook's answer: the broker knows nothing of them.
func (e *exchange) index(correlation int32) int {
	return slices.IndexFunc(e.calls, func(c *call) bool {
		return c.answer == nil && c.request.CorrelationID == correlation
	})
}

// flush writes the answers whose turn it is.
func (e *exchange) flush() error {
	for len(e.calls) > 0 && e.calls[0].answer != nil {
		frame := e.calls[0].answer
		e.calls = e.calls[1:]
		if _, err := e.client.Write(frame); err != nil {
			return err
		}
	}
	return nil
}

// pass writes bytes that belong to no request.
func (e *exchange) pass(b []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err := e.client.Write(b)
	return err
}
