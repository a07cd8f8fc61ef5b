package cli

import (
	"context"

	"github.com/pitlane-go/pitlane/config"
)

// Engine and Inspector name the doubles' interfaces for the tests.
type (
	Engine    = engine
	Inspector = inspector
)

// NewEvents and NewLogger are what run makes its log of.
var (
	NewEvents = events
	NewLogger = newLogger
	// NewSlogger is the logger that processors get.
	NewSlogger = slogger
)

// WithEngine runs a double instead of a runner.
func WithEngine(build func(*config.Config) Engine) Option {
	return func(a *app) { a.build = build }
}

// WithInspector lets check ask a double instead of brokers.
func WithInspector(i Inspector) Option {
	return func(a *app) { a.inspect = func(*config.Config) (inspector, error) { return i, nil } }
}

// EngineFunc is an engine that is one function.
type EngineFunc func(ctx context.Context) error

func (f EngineFunc) Run(ctx context.Context) error { return f(ctx) }
func (f EngineFunc) Stop()                         {}
func (f EngineFunc) Cancel()                       {}

// Stopper counts signals.
type Stopper struct{ s *stopper }

// NewStopper makes one for an ordinary command.
func NewStopper(cancel func()) Stopper { return Stopper{newStopper(cancel)} }

// Signal is one signal, Replace what run does with the steps.
func (s Stopper) Signal()                 { s.s.step() }
func (s Stopper) Replace(steps ...func()) { s.s.replace(steps...) }

// Left is closed by the last step.
func (s Stopper) Left() <-chan struct{} { return s.s.leaveCh }
