package lane

import "slices"

// window is the received, not yet committed units of a lane, in offset order.
// The units before next have been started; the rest are ready. It is pure: the
// lane guards it with its mutex.
type window struct {
	units []*unit
	next  int
	// position is the commit position: the lowest offset that is not settled.
	position int64
	// outstanding counts the units that wait for reports.
	outstanding int
	// anyFailed says that a unit before next has failed in delivery.
	anyFailed bool
}

// push appends ready units.
func (w *window) push(units []*unit) { w.units = append(w.units, units...) }

// pushSingles appends a slab of ready units.
func (w *window) pushSingles(slab []single) {
	w.units = slices.Grow(w.units, len(slab))
	for i := range slab {
		w.units = append(w.units, &slab[i].unit)
	}
}

// head is the unit to start next, or nil.
func (w *window) head() *unit {
	if w.next == len(w.units) {
		return nil
	}
	return w.units[w.next]
}

// start marks the head as running.
func (w *window) start() *unit {
	u := w.units[w.next]
	u.state = running
	w.next++
	return u
}

// await marks a running unit as waiting for its reports.
func (w *window) await(u *unit) {
	u.state = waiting
	w.outstanding++
}

// unawait takes a waiting unit out of the count.
func (w *window) unawait(u *unit) {
	if u.state == waiting {
		w.outstanding--
	}
}

// settle marks a unit as settled and moves the position. It returns the units
// that left the window.
func (w *window) settle(u *unit) (gone []*unit) {
	w.unawait(u)
	u.state = settled
	n := 0
	for n < w.next && w.units[n].state == settled {
		n++
	}
	if n == 0 {
		return nil
	}
	gone = w.units[:n:n]
	w.position = gone[n-1].next
	w.units = w.units[n:]
	w.next -= n
	return gone
}

// fail marks a waiting unit as failed in delivery.
func (w *window) fail(u *unit) {
	w.unawait(u)
	u.state = failed
	w.anyFailed = true
}

// again puts a unit that was started last back at the head.
func (w *window) again(u *unit) {
	u.state = ready
	w.next--
}

// rewind makes the first failed unit the head again, and everything after it
// ready. It returns that unit and how many others run again because of it, or
// nil if none has failed.
func (w *window) rewind() (first *unit, others int) {
	w.anyFailed = false
	for i := range w.next {
		u := w.units[i]
		if first == nil {
			if u.state != failed {
				continue
			}
			first = u
			u.state, u.run = ready, nil
			others = w.next - i - 1
			continue
		}
		w.unawait(u)
		u.state, u.run = ready, nil
		u.skipping(nil)
	}
	if first != nil {
		w.next -= others + 1
	}
	return first, others
}

// replace puts parts in the place of the head.
func (w *window) replace(parts []*unit) {
	rest := w.units[w.next+1:]
	units := make([]*unit, 0, len(w.units)+len(parts)-1)
	units = append(units, w.units[:w.next]...)
	units = append(units, parts...)
	w.units = append(units, rest...)
}

// oldestWaiting is the first unit that waits for reports, or nil.
func (w *window) oldestWaiting() *unit {
	if w.outstanding == 0 {
		return nil
	}
	for _, u := range w.units[:w.next] {
		if u.state == waiting {
			return u
		}
	}
	return nil
}
