package consumerset_test

import (
	"testing"

	"github.com/pitlane-go/pitlane/consumerset"
)

// variants are the ways to be in a group and to get messages.
func variants() map[string]func(*consumerset.Config) {
	protocols := map[string]func(*consumerset.Config){
		"range":       func(c *consumerset.Config) { c.Assignor = "range" },
		"cooperative": func(c *consumerset.Config) { c.Assignor = "cooperative-sticky" },
		"kip848":      func(c *consumerset.Config) { c.Protocol = consumerset.ProtocolConsumer },
	}
	all := map[string]func(*consumerset.Config){}
	for _, feed := range feeds() {
		for name, protocol := range protocols {
			all[string(feed)+"/"+name] = func(c *consumerset.Config) {
				c.Feed = feed
				protocol(c)
			}
		}
	}
	return all
}

func TestMemberConsumesEverythingAndCommitsIt(t *testing.T) {
	t.Parallel()
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := setup(t, 4)
			r.produce(4, 0, 500)
			cfg := r.config()
			change(&cfg)
			s := r.start(cfg)
			r.until("2000 messages", func() bool { return r.journal.total == 2000 })
			res := s.stop()
			if res.Outcome() != consumerset.Clean {
				t.Errorf("ended %v: %+v", res.Outcome(), res)
			}
			for p, at := range r.committed() {
				if at != 500 {
					t.Errorf("partition %d committed at %d, not 500", p, at)
				}
			}
			if r.journal.again > 0 {
				t.Errorf("%d messages came again", r.journal.again)
			}
			r.check()
		})
	}
}
