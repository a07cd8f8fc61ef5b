package config

import (
	"errors"
	"math"
	"reflect"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

const wholeNumber = "a whole number"

// expected is what the decoder would have taken where it found something else, or
// "" when that is not what it complains about.
func expected(err error) string {
	if mismatch, ok := errors.AsType[*yaml.TypeError](err); ok && mismatch.DstType != nil {
		return wanted(mismatch.DstType)
	}
	if odd, ok := errors.AsType[*yaml.UnexpectedNodeTypeError](err); ok {
		switch odd.Expected {
		case ast.MappingType:
			return shapeTable.String()
		case ast.SequenceType:
			return shapeList.String()
		default:
		}
	}
	return ""
}

// wanted says what a field of a processor's settings takes, in the words of the
// file and not in those of Go.
func wanted(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[time.Duration]() {
		return "a duration such as 250ms or 1m30s"
	}
	switch {
	case t.Kind() == reflect.String:
		return shapeText.String()
	case t.Kind() == reflect.Bool:
		return shapeBool.String()
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		return wholeNumber
	case t.Kind() == reflect.Float32, t.Kind() == reflect.Float64:
		return shapeNumber.String()
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		return shapeList.String()
	case t.Kind() == reflect.Map, t.Kind() == reflect.Struct:
		return shapeTable.String()
	}
	return "a " + t.String()
}

// fractional tells whether a number with a fraction was written for a field that
// takes whole numbers: the decoder would cut the fraction off.
func fractional(t reflect.Type, e entry) bool {
	if t.Kind() != reflect.Struct || e.value.shape != shapeNumber {
		return false
	}
	if _, err := parseInt(e.value.text); err == nil {
		return false
	}
	number, err := parseFloat(e.value.text)
	for field := range t.Fields() {
		if err == nil && number != math.Trunc(number) && fieldName(field) == e.name && wanted(field.Type) == wholeNumber {
			return true
		}
	}
	return false
}
