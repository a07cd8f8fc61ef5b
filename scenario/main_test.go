package scenario_test

import (
	"os"
	"testing"

	"github.com/pitlane-go/pitlane/scenario/rig"
)

var suite *rig.Suite

func TestMain(m *testing.M) {
	os.Exit(rig.Main(m, func(s *rig.Suite) { suite = s }))
}
