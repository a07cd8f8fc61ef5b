package proxy

import (
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

var (
	// ErrClosed says that the proxy was closed.
	ErrClosed = errors.New("proxy is closed")

	// ErrConfig says that a Config is not valid; the text names the field.
	ErrConfig = errors.New("proxy config is not valid")

	// errNotAFrame says that bytes are not a frame of the Kafka protocol.
	errNotAFrame = errors.New("not a frame of the kafka protocol")
)

// DecodeError says that a frame could not be decoded.
type DecodeError struct {
	Key     kmsg.Key
	Version int16
	Err     error
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("decode %s v%d: %v", e.Key.Name(), e.Version, e.Err)
}

func (e *DecodeError) Unwrap() error { return e.Err }
