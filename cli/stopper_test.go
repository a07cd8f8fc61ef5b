package cli_test

import (
	"slices"
	"testing"

	"github.com/pitlane-go/pitlane/cli"
)

func TestSignalsThatCameBeforeTheStepsAreMadeUpFor(t *testing.T) {
	t.Parallel()
	var done []string
	step := func(name string) func() { return func() { done = append(done, name) } }
	s := cli.NewStopper(step("context"))
	s.Signal()
	s.Replace(step("stop"), step("cancel"))
	if want := []string{"context", "stop"}; !slices.Equal(done, want) {
		t.Errorf("after one signal %v, want %v", done, want)
	}
	s.Signal()
	if want := []string{"context", "stop", "cancel"}; !slices.Equal(done, want) {
		t.Errorf("after two signals %v, want %v", done, want)
	}
	select {
	case <-s.Left():
		t.Error("two signals leave")
	default:
	}
	s.Signal()
	<-s.Left()
	s.Signal() // a fourth has nothing left to do
}
