package pause_test

import (
	"errors"
	"testing"
	"time"

	"github.com/pitlane-go/pitlane/pause"
)

func TestHoldIsOverAtItsDeadlineAndNeverWithoutOne(t *testing.T) {
	tests := []struct {
		name  string
		until time.Time
		now   time.Time
		want  bool
	}{
		{"before", at(10), at(9), false},
		{"at the deadline", at(10), at(10), true},
		{"after", at(10), at(11), true},
		{"no deadline", time.Time{}, at(1 << 30), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := (pause.Hold{Until: tt.until}).Over(tt.now); got != tt.want {
				t.Errorf("Over = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSecondHoldWithTheSameReasonKeepsTheFirstSince(t *testing.T) {
	var h pause.Holds
	cause := errors.New("again")
	if !h.Put(pause.Hold{Reason: pause.Retry, Since: at(1), Until: at(2)}) {
		t.Error("the first Put did not start the hold")
	}
	if h.Put(pause.Hold{Reason: pause.Retry, Since: at(5), Until: at(9), Attempt: 2, Cause: cause}) {
		t.Error("the second Put started the hold again")
	}
	got, ok := h.Release(pause.Retry)
	want := pause.Hold{Reason: pause.Retry, Since: at(1), Until: at(9), Attempt: 2, Cause: cause}
	if !ok || got != want {
		t.Errorf("Release = %+v, %v, want %+v", got, ok, want)
	}
	if h.Held() {
		t.Error("still held after the release")
	}
}

func TestBindingIsTheHoldThatEndsLast(t *testing.T) {
	retry := pause.Hold{Reason: pause.Retry, Since: at(1), Until: at(9)}
	delivery := pause.Hold{Reason: pause.Delivery, Since: at(2), Until: at(5)}
	operator := pause.Hold{Reason: pause.Operator, Since: at(3)}
	drain := pause.Hold{Reason: pause.Drain, Since: at(4)}
	tests := []struct {
		name string
		list []pause.Hold
		want pause.Reason
	}{
		{"latest deadline", []pause.Hold{delivery, retry}, pause.Retry},
		{"latest deadline, other order", []pause.Hold{retry, delivery}, pause.Retry},
		{"none beats any", []pause.Hold{operator, retry}, pause.Operator},
		{"none beats any, other order", []pause.Hold{retry, operator}, pause.Operator},
		{"oldest of those without", []pause.Hold{retry, operator, drain}, pause.Operator},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var h pause.Holds
			for _, x := range tt.list {
				h.Put(x)
			}
			if got, ok := h.Binding(); !ok || got.Reason != tt.want {
				t.Errorf("Binding = %v, %v, want %v", got.Reason, ok, tt.want)
			}
		})
	}
}

func TestNothingHeldHasNoBindingAndNoDeadline(t *testing.T) {
	var h pause.Holds
	if _, ok := h.Binding(); ok {
		t.Error("Binding found a hold")
	}
	if _, ok := h.Next(); ok {
		t.Error("Next found a deadline")
	}
	if _, ok := h.Release(pause.Retry); ok {
		t.Error("Release found a hold")
	}
	if ended := h.Expire(at(1)); ended != nil {
		t.Errorf("Expire ended %v", ended)
	}
}

func TestListOfHoldsIsACopy(t *testing.T) {
	var h pause.Holds
	h.Put(pause.Hold{Reason: pause.Retry})
	h.All()[0].Reason = pause.Operator
	if got := h.All()[0].Reason; got != pause.Retry {
		t.Errorf("the reason became %q", got)
	}
}
