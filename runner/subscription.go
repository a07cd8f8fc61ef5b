package runner

import (
	"regexp"
	"strings"
)

// subscription finds the settings of a topic among those that were configured.
type subscription struct {
	names    map[string]Topic
	patterns []pattern
}

type pattern struct {
	re    *regexp.Regexp
	topic Topic
}

// IsPattern reports whether the name is a regular expression: librdkafka's rule.
func (t Topic) IsPattern() bool { return strings.HasPrefix(t.Name, "^") }

// TopicNames are the names and patterns of the subscription, in order.
func (c Config) TopicNames() []string {
	names := make([]string, len(c.Topics))
	for i, t := range c.Topics {
		names[i] = t.Name
	}
	return names
}

func newSubscription(topics []Topic) (*subscription, error) {
	s := &subscription{names: map[string]Topic{}}
	for _, t := range topics {
		if !t.IsPattern() {
			s.names[t.Name] = t
			continue
		}
		re, err := regexp.Compile(t.Name)
		if err != nil {
			return nil, err
		}
		s.patterns = append(s.patterns, pattern{re, t})
	}
	return s, nil
}

// find returns the settings for a topic: by name first, then the first pattern
// that matches.
func (s *subscription) find(name string) Topic {
	if t, ok := s.names[name]; ok {
		return t
	}
	for _, p := range s.patterns {
		if p.re.MatchString(name) {
			return p.topic
		}
	}
	return Topic{Name: name}
}
