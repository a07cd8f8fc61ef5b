package processor

import "errors"

// ErrGoexit is the error to use for an attempt whose processor ended its
// goroutine with runtime.Goexit. Like any error it is transient.
var ErrGoexit = errors.New("the processor ended its goroutine (runtime.Goexit, or FailNow of package testing)")

// Resume runs body, a loop that calls user code, and keeps it going when that
// code calls runtime.Goexit. Goexit cannot be stopped by recover, but it runs the
// deferred calls first, and these may take as long as they like: so Resume calls
// exited (which settles the attempt that was running, with ErrGoexit) and then
// body again, in a deferred call. It costs nothing while nobody calls Goexit.
//
// body must keep its state outside and hold no lock while it calls user code.
// After a Goexit the goroutine ends when body has returned, and Resume does not
// return: what has to happen afterwards must be deferred by the caller. A panic
// passes through.
func Resume(body, exited func()) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if v := recover(); v != nil {
			panic(v)
		}
		exited()
		Resume(body, exited)
	}()
	body()
	returned = true
}
