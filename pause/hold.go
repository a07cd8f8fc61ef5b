package pause

import (
	"slices"
	"time"
)

// Hold says that its owner starts nothing: why, since when and until when.
type Hold struct {
	Reason Reason
	Since  time.Time
	// Until is the deadline; zero means until it is released.
	Until time.Time
	// Offset, Attempt and Cause tell of the failure behind the hold, if there is
	// one: the unit's first offset, the number of counted runs, the error.
	Offset  int64
	Attempt int
	Cause   error
}

// Over reports whether the hold's deadline has passed at now.
func (h Hold) Over(now time.Time) bool { return !h.Until.IsZero() && !now.Before(h.Until) }

// after reports whether h ends after o.
func (h Hold) after(o Hold) bool {
	if h.Until.IsZero() || o.Until.IsZero() {
		return h.Until.IsZero() && !o.Until.IsZero()
	}
	return h.Until.After(o.Until)
}

// Holds are the holds of one partition (or one key): at most one per reason.
// The zero value holds nothing.
type Holds struct {
	list []Hold
}

// Put adds a hold, or takes the place of the one with the same reason, whose
// Since stays. It reports whether the reason is new.
func (h *Holds) Put(x Hold) (started bool) {
	for i := range h.list {
		if h.list[i].Reason == x.Reason {
			x.Since = h.list[i].Since
			h.list[i] = x
			return false
		}
	}
	h.list = append(h.list, x)
	return true
}

// Release ends the hold with this reason and returns it.
func (h *Holds) Release(r Reason) (Hold, bool) {
	for i, x := range h.list {
		if x.Reason == r {
			h.list = slices.Delete(h.list, i, i+1)
			return x, true
		}
	}
	return Hold{}, false
}

// Expire ends the holds whose deadline has passed and returns them.
func (h *Holds) Expire(now time.Time) (ended []Hold) {
	h.list = slices.DeleteFunc(h.list, func(x Hold) bool {
		if x.Over(now) {
			ended = append(ended, x)
			return true
		}
		return false
	})
	return ended
}

// Held reports whether there is any hold.
func (h *Holds) Held() bool { return len(h.list) > 0 }

// Binding returns the hold that ends last: the one that an operator should look
// at. Of several without a deadline it is the oldest.
func (h *Holds) Binding() (Hold, bool) {
	if len(h.list) == 0 {
		return Hold{}, false
	}
	b := h.list[0]
	for _, x := range h.list[1:] {
		if x.after(b) {
			b = x
		}
	}
	return b, true
}

// Next returns the earliest deadline.
func (h *Holds) Next() (at time.Time, ok bool) {
	for _, x := range h.list {
		if !x.Until.IsZero() && (!ok || x.Until.Before(at)) {
			at, ok = x.Until, true
		}
	}
	return at, ok
}

// All returns a copy, oldest first.
func (h *Holds) All() []Hold { return slices.Clone(h.list) }
