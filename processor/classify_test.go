package processor_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pitlane-go/pitlane/processor"
)

var errPlain = errors.New("plain")

// brokerError stands for the errors of other rooms, which know their class.
type brokerError struct{ class processor.Class }

func (e *brokerError) Error() string          { return "broker: " + e.class.String() }
func (e *brokerError) Class() processor.Class { return e.class }

func TestClassifyTable(t *testing.T) {
	verdict := func(c processor.Class) processor.Verdict { return processor.Verdict{Class: c, FailedAt: -1} }
	at := func(c processor.Class, i int) processor.Verdict { return processor.Verdict{Class: c, FailedAt: i} }
	after := func(d time.Duration) processor.Verdict {
		return processor.Verdict{Class: processor.ClassTransient, FailedAt: -1, RetryAfter: d}
	}
	for name, c := range map[string]struct {
		err  error
		want processor.Verdict
	}{
		"nil":                                  {nil, verdict(processor.ClassNone)},
		"plain":                                {errPlain, verdict(processor.ClassTransient)},
		"wrapped plain":                        {fmt.Errorf("x: %w", errPlain), verdict(processor.ClassTransient)},
		"skip":                                 {processor.Skip(errPlain), verdict(processor.ClassSkip)},
		"skip without a cause":                 {processor.Skip(nil), verdict(processor.ClassSkip)},
		"dead letter":                          {processor.DeadLetter(errPlain), verdict(processor.ClassPermanent)},
		"stop":                                 {processor.Stop(errPlain), verdict(processor.ClassStop)},
		"wrapped skip":                         {fmt.Errorf("x: %w", processor.Skip(errPlain)), verdict(processor.ClassSkip)},
		"stop inside skip":                     {processor.Skip(processor.Stop(errPlain)), verdict(processor.ClassStop)},
		"skip inside stop":                     {processor.Stop(processor.Skip(errPlain)), verdict(processor.ClassStop)},
		"skip inside a dead letter":            {processor.DeadLetter(processor.Skip(errPlain)), verdict(processor.ClassPermanent)},
		"skip beside plain":                    {errors.Join(processor.Skip(errPlain), errPlain), verdict(processor.ClassTransient)},
		"skip beside skip":                     {errors.Join(processor.Skip(errPlain), processor.Skip(nil)), verdict(processor.ClassSkip)},
		"skip beside dead letter":              {errors.Join(processor.Skip(nil), processor.DeadLetter(nil)), verdict(processor.ClassPermanent)},
		"dead letter beside plain":             {errors.Join(processor.DeadLetter(nil), errPlain), verdict(processor.ClassTransient)},
		"stop beside everything":               {errors.Join(errPlain, processor.Stop(nil), processor.Skip(nil)), verdict(processor.ClassStop)},
		"two in one Errorf":                    {fmt.Errorf("%w and %w", processor.Skip(nil), processor.DeadLetter(nil)), verdict(processor.ClassPermanent)},
		"skip around a join of plain errors":   {processor.Skip(errors.Join(errPlain, errPlain)), verdict(processor.ClassSkip)},
		"retry after":                          {processor.RetryAfter(time.Second, errPlain), after(time.Second)},
		"retry after without a cause":          {processor.RetryAfter(time.Second, nil), after(time.Second)},
		"retry after, at once":                 {processor.RetryAfter(0, nil), after(1)},
		"retry after, negative":                {processor.RetryAfter(-time.Second, nil), after(1)},
		"the longest retry after":              {errors.Join(processor.RetryAfter(1, nil), processor.RetryAfter(3, nil), processor.RetryAfter(2, nil)), after(3)},
		"skip inside retry after is transient": {processor.RetryAfter(5, processor.Skip(nil)), after(5)},
		"failed at, plain":                     {processor.FailedAt(3, errPlain), at(processor.ClassTransient, 3)},
		"failed at without a cause":            {processor.FailedAt(0, nil), at(processor.ClassTransient, 0)},
		"failed at, dead letter":               {processor.FailedAt(3, processor.DeadLetter(nil)), at(processor.ClassPermanent, 3)},
		"dead letter around failed at":         {processor.DeadLetter(processor.FailedAt(3, nil)), at(processor.ClassPermanent, 3)},
		"the lowest failed at":                 {errors.Join(processor.FailedAt(7, nil), processor.FailedAt(2, nil)), at(processor.ClassTransient, 2)},
		"an infrastructure error":              {&brokerError{processor.ClassInfrastructure}, verdict(processor.ClassInfrastructure)},
		"infrastructure beside plain":          {errors.Join(errPlain, &brokerError{processor.ClassInfrastructure}), verdict(processor.ClassInfrastructure)},
		"a panic":                              {&processor.PanicError{Value: 1}, verdict(processor.ClassTransient)},
		"a panic with skip is no skip":         {&processor.PanicError{Value: processor.Skip(nil)}, verdict(processor.ClassTransient)},
		"a panic with stop":                    {&processor.PanicError{Value: processor.Stop(nil)}, verdict(processor.ClassStop)},
		"goexit":                               {processor.ErrGoexit, verdict(processor.ClassTransient)},
		"undecodable":                          {&processor.DecodeError{Err: errPlain}, verdict(processor.ClassPermanent)},
	} {
		t.Run(name, func(t *testing.T) {
			if got := processor.Classify(c.err); got != c.want {
				t.Errorf("Classify(%v) = %+v, want %+v", c.err, got, c.want)
			}
		})
	}
}

// The property: whatever the shape of the tree, the verdict is what a walk over
// the leaves gives, where a leaf counts as transient unless an outcome is above it.
func TestClassifySafestWinsInAnyTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := processor.Verdict{FailedAt: -1}
		err := drawTree(t, 4, false, &want)
		if got := processor.Classify(err); got != want {
			t.Fatalf("Classify(%v) = %+v, want %+v", err, got, want)
		}
		if want.Class == processor.ClassNone {
			t.Fatalf("an error has no class: %v", err)
		}
	})
}

func drawTree(t *rapid.T, depth int, covered bool, want *processor.Verdict) error {
	raise := func(c processor.Class) { want.Class = max(want.Class, c) }
	inner := func(covered bool) error {
		if depth == 0 {
			return nil
		}
		return drawTree(t, depth-1, covered, want)
	}
	kinds := []string{"plain"}
	if depth > 0 {
		kinds = []string{"plain", "wrap", "join", "skip", "dead", "stop", "retry", "at", "broker"}
	}
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "wrap":
		return fmt.Errorf("wrapped: %w", inner(covered))
	case "join":
		n := rapid.IntRange(1, 3).Draw(t, "n")
		errs := make([]error, n)
		for i := range errs {
			errs[i] = inner(covered)
		}
		return errors.Join(errs...)
	case "skip":
		raise(processor.ClassSkip)
		return processor.Skip(inner(true))
	case "dead":
		raise(processor.ClassPermanent)
		return processor.DeadLetter(inner(true))
	case "stop":
		raise(processor.ClassStop)
		return processor.Stop(inner(true))
	case "retry":
		d := time.Duration(rapid.IntRange(0, 9).Draw(t, "delay"))
		raise(processor.ClassTransient)
		want.RetryAfter = max(want.RetryAfter, d, 1)
		return processor.RetryAfter(d, inner(true))
	case "at":
		i := rapid.IntRange(0, 9).Draw(t, "index")
		if want.FailedAt < 0 || i < want.FailedAt {
			want.FailedAt = i
		}
		return processor.FailedAt(i, inner(covered))
	case "broker":
		c := rapid.SampledFrom([]processor.Class{processor.ClassInfrastructure, processor.ClassConfiguration}).Draw(t, "class")
		raise(c)
		return &brokerError{c}
	}
	if !covered {
		raise(processor.ClassTransient)
	}
	return errPlain
}

func TestOutcomesKeepTheirCause(t *testing.T) {
	for name, err := range map[string]error{
		"skip":        processor.Skip(errPlain),
		"dead letter": processor.DeadLetter(errPlain),
		"stop":        processor.Stop(errPlain),
		"retry after": processor.RetryAfter(time.Second, errPlain),
		"failed at":   processor.FailedAt(1, errPlain),
		"undecodable": &processor.DecodeError{Err: errPlain},
		"panic":       &processor.PanicError{Value: errPlain},
	} {
		if !errors.Is(err, errPlain) {
			t.Errorf("%s: the cause is not found in %v", name, err)
		}
	}
}
