package processor_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/processor"
)

type reading struct {
	Level int8      `json:"level"`
	At    time.Time `json:"at"`
}

func TestJSONDecodesIntoANewValueEachTime(t *testing.T) {
	var seen []*reading
	p := processor.JSON(func(_ context.Context, _ *processor.Message, r *reading) error {
		seen = append(seen, r)
		return errPlain
	})
	for _, v := range []string{`{"level":1}`, `{"unknown":true}`} {
		if err := p.Process(t.Context(), message("in", 0, 0, v)); !errors.Is(err, errPlain) {
			t.Fatalf("%s: %v", v, err)
		}
	}
	if seen[0].Level != 1 || seen[1].Level != 0 {
		t.Errorf("levels %d and %d: the value was reused", seen[0].Level, seen[1].Level)
	}
}

func TestJSONUndecodableIsPermanentAndDoesNotQuoteTheValue(t *testing.T) {
	p := processor.JSON(func(context.Context, *processor.Message, *reading) error {
		t.Error("the function was called")
		return nil
	})
	for value, cause := range map[string]string{
		`{"level":51234}`:         `JSON number in field "level" does not fit int8`,
		`{"level":"51234"}`:       `JSON string in field "level" does not fit int8`,
		`"51234"`:                 `JSON string after 7 bytes does not fit processor_test.reading`,
		`{"level":1`:              `invalid JSON after 10 bytes`,
		`{"level":1} 51234`:       `invalid JSON after 13 bytes`,
		``:                        `invalid JSON after 0 bytes`,
		`{"at":"51234"}`:          `JSON value refused by its type (*time.ParseError)`,
		"{\"level\":1,\xff51234}": `invalid JSON after`,
	} {
		err := p.Process(t.Context(), message("in", 3, 42, value))
		var d *processor.DecodeError
		if !errors.As(err, &d) || processor.Classify(err).Class != processor.ClassPermanent {
			t.Errorf("%q: %v, want a permanent DecodeError", value, err)
			continue
		}
		if want := "decode value of in [3] offset 42: " + cause; !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %q, want %q", value, err, want)
		}
		if strings.Contains(err.Error(), "51234") {
			t.Errorf("%q is quoted in %q", value, err)
		}
	}
	var mismatch *json.UnmarshalTypeError
	if err := p.Process(t.Context(), message("in", 3, 42, `{"level":51234}`)); !errors.As(err, &mismatch) {
		t.Errorf("%v: the decoder's error is not found", err)
	}
}

func TestTypedNilValueIsPermanentUnlessTombstonesAreWanted(t *testing.T) {
	var got []*int
	fn := func(_ context.Context, _ *processor.Message, v *int) error {
		got = append(got, v)
		return nil
	}
	tombstone := &processor.Message{Topic: "in"}
	err := processor.JSON(fn).Process(t.Context(), tombstone)
	if !errors.Is(err, processor.ErrNilValue) || processor.Classify(err).Class != processor.ClassPermanent || got != nil {
		t.Errorf("without the option: %v, calls %v", err, got)
	}
	if err := processor.JSON(fn, processor.WithTombstones()).Process(t.Context(), tombstone); err != nil || len(got) != 1 || got[0] != nil {
		t.Errorf("with the option: %v, calls %v, want one with nil", err, got)
	}
}

func TestTypedEmptyValueIsNotATombstone(t *testing.T) {
	decoded := 0
	p := processor.Typed(func(b []byte, into *string) error {
		decoded++
		*into = string(b)
		return nil
	}, func(_ context.Context, _ *processor.Message, s *string) error {
		if s == nil || *s != "" {
			t.Errorf("value %v", s)
		}
		return nil
	}, processor.WithTombstones())
	if err := p.Process(t.Context(), message("in", 0, 0, "")); err != nil || decoded != 1 {
		t.Errorf("error %v, decoded %d times", err, decoded)
	}
}

func TestTypedDecoderMayAskForARetry(t *testing.T) {
	p := processor.Typed(func([]byte, *int) error { return processor.RetryAfter(time.Second, errPlain) },
		func(context.Context, *processor.Message, *int) error { return nil })
	v := processor.Classify(p.Process(t.Context(), message("in", 0, 0, "x")))
	if v.Class != processor.ClassTransient || v.RetryAfter != time.Second {
		t.Errorf("verdict %+v", v)
	}
}
