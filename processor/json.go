package processor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// JSON is Typed with encoding/json. Unknown fields are ignored, text after the
// value is an error.
//
// The errors of encoding/json, and of UnmarshalJSON methods, may quote the value.
// The text of the *DecodeError does not: it has the place and the expected type
// only. The error itself is found with errors.As.
func JSON[T any](fn func(ctx context.Context, m *Message, value *T) error, opts ...TypedOption) Processor {
	return Typed(decodeJSON[T], fn, opts...)
}

func decodeJSON[T any](value []byte, into *T) error {
	if err := json.Unmarshal(value, into); err != nil {
		return &jsonError{err}
	}
	return nil
}

// jsonError keeps the message's content out of the text.
type jsonError struct{ err error }

func (e *jsonError) Unwrap() error { return e.err }

func (e *jsonError) Error() string {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(e.err, &syntax):
		return fmt.Sprintf("invalid JSON after %d bytes", syntax.Offset)
	case errors.As(e.err, &mismatch):
		kind, _, _ := strings.Cut(mismatch.Value, " ") // "number 123": the literal stays out
		if mismatch.Field == "" {
			return fmt.Sprintf("JSON %s after %d bytes does not fit %v", kind, mismatch.Offset, mismatch.Type)
		}
		return fmt.Sprintf("JSON %s in field %q does not fit %v", kind, mismatch.Field, mismatch.Type)
	}
	return fmt.Sprintf("JSON value refused by its type (%T)", e.err)
}
