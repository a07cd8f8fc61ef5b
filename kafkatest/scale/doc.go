// Package scale lets one test run at two sizes: a short one that fits into every
// run, and the full one that is promised. The environment variable
// PITLANE_TEST_SCALE chooses for the whole run: short (or empty, the default) or
// full. Any other value fails the test that asks: a run that was meant to be full
// is never a short one by a slip of the pen.
//
//	messages := scale.N(t, 20_000, 1_000_000)
//	ctx, cancel := context.WithTimeout(t.Context(), scale.D(t, 5*time.Second, 2*time.Minute))
//
// A test asserts the same things at both sizes; only sizes and times differ. The
// size that was chosen is logged with the test.
//
// The package has no state: it reads the environment at each call and is safe for
// concurrent use. It imports the standard library only.
package scale
