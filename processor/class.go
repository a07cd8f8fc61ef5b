package processor

import "time"

// Class says what kind of failure an attempt ended with, and so what follows.
// Where an error carries several, the safest wins: the highest value below.
type Class int

const (
	// ClassNone is success.
	ClassNone Class = iota
	// ClassSkip settles the unit, after its sends, and counts it.
	ClassSkip
	// ClassPermanent can never succeed: it goes to the dead letters, or follows
	// on_exhausted.
	ClassPermanent
	// ClassTransient runs again after a back-off and counts as an attempt.
	ClassTransient
	// ClassInfrastructure runs again after a back-off of its own and is never
	// counted: delivery time-outs, purges, broker trouble.
	ClassInfrastructure
	// ClassConfiguration is the same, and an operator has to act: unknown output
	// topic, not authorised.
	ClassConfiguration
	// ClassStop stops the runner; nothing is committed past the unit.
	ClassStop
)

// String returns the word that logs and events use.
func (c Class) String() string {
	switch c {
	case ClassNone:
		return "none"
	case ClassSkip:
		return "skip"
	case ClassPermanent:
		return "permanent"
	case ClassTransient:
		return "transient"
	case ClassInfrastructure:
		return "infrastructure"
	case ClassConfiguration:
		return "configuration"
	case ClassStop:
		return "stop"
	}
	return "unknown"
}

// Classified is an error that knows its class. The outcomes of this package and
// delivery errors implement it; a user's error may too.
type Classified interface {
	error
	Class() Class
}

// Verdict is what Classify reads from an error.
type Verdict struct {
	// Class is the safest class in the error's tree.
	Class Class
	// RetryAfter is the longest delay asked for by RetryAfter, or 0.
	RetryAfter time.Duration
	// FailedAt is the index in the batch at which it failed, or -1: the whole
	// unit failed.
	FailedAt int
}

// Classify reads the verdict of an error that a processor returned. It looks
// through wrapped and joined errors; the safest class wins. An error that no
// outcome wraps counts as transient, also beside an outcome in errors.Join:
// nothing is skipped because a neighbour was. Nil gives ClassNone.
func Classify(err error) Verdict {
	v := Verdict{FailedAt: -1}
	v.read(err, false)
	return v
}

func (v *Verdict) read(err error, covered bool) {
	if err == nil {
		return
	}
	switch e := err.(type) { //nolint:errorlint // this walks the tree itself, node by node
	case *failedAtError:
		if v.FailedAt < 0 || e.index < v.FailedAt {
			v.FailedAt = e.index
		}
	case *retryAfterError:
		v.RetryAfter = max(v.RetryAfter, e.delay)
	}
	if c, ok := err.(Classified); ok { //nolint:errorlint // as above
		v.Class = max(v.Class, c.Class())
		covered = true
	}
	switch e := err.(type) { //nolint:errorlint // as above
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			v.read(inner, covered)
			return
		}
	case interface{ Unwrap() []error }:
		if inner := e.Unwrap(); len(inner) > 0 {
			for _, i := range inner {
				v.read(i, covered)
			}
			return
		}
	}
	if !covered {
		v.Class = max(v.Class, ClassTransient)
	}
}
