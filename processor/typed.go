package processor

import (
	"context"
	"errors"
	"fmt"
)

// ErrNilValue is the cause of a DecodeError when the value is nil and the typed
// processor was not made with WithTombstones.
var ErrNilValue = errors.New("the value is nil (a tombstone); WithTombstones accepts them")

// DecodeError says that a value could not be decoded. Its class is permanent. Its
// text names the message and the cause, and never the value.
type DecodeError struct {
	Topic     string
	Partition int32
	Offset    int64
	// Err is what the decoder returned.
	Err error
}

// Error implements error.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("decode value of %s [%d] offset %d: %v", e.Topic, e.Partition, e.Offset, e.Err)
}

// Unwrap returns the decoder's error.
func (e *DecodeError) Unwrap() error { return e.Err }

// Class implements Classified.
func (e *DecodeError) Class() Class { return ClassPermanent }

// TypedOption changes a typed processor.
type TypedOption func(*typedOptions)

type typedOptions struct {
	tombstones bool
	hooks      any
}

// WithTombstones hands a message with a nil value to the function, with a nil
// pointer. Without it such a message is permanently undecodable.
func WithTombstones() TypedOption { return func(o *typedOptions) { o.tombstones = true } }

// WithHooks names the value whose optional interfaces (Setuper and so on) belong
// to the function; often the receiver of the method that the function is.
func WithHooks(v any) TypedOption { return func(o *typedOptions) { o.hooks = v } }

// Typed makes a processor that decodes the value into a new T before it calls
// fn. decode must not keep or change the bytes; its error text must not contain
// the value, because it is logged. What cannot be decoded is permanent, as a
// *DecodeError, unless decode returned an outcome that is safer: RetryAfter, say,
// when it was not the value's fault. A message with an empty value is decoded like
// any other.
func Typed[T any](
	decode func(value []byte, into *T) error,
	fn func(ctx context.Context, m *Message, value *T) error,
	opts ...TypedOption,
) Processor {
	t := &typed[T]{decode: decode, fn: fn}
	for _, opt := range opts {
		opt(&t.typedOptions)
	}
	return t
}

type typed[T any] struct {
	typedOptions

	decode func([]byte, *T) error
	fn     func(context.Context, *Message, *T) error
}

// Process implements Processor.
func (t *typed[T]) Process(ctx context.Context, m *Message) error {
	if m.Value == nil {
		if t.tombstones {
			return t.fn(ctx, m, nil)
		}
		return undecodable(m, ErrNilValue)
	}
	value := new(T)
	if err := t.decode(m.Value, value); err != nil {
		return undecodable(m, err)
	}
	return t.fn(ctx, m, value)
}

func (t *typed[T]) children() []child { return []child{{value: t.hooks}} }

func undecodable(m *Message, err error) error {
	return &DecodeError{Topic: m.Topic, Partition: m.Partition, Offset: m.Offset, Err: err}
}
