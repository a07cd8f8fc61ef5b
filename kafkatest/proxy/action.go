package proxy

import "github.com/twmb/franz-go/pkg/kmsg"

// Action is what a hook wants to be done with a frame.
type Action struct {
	kind     actionKind
	release  <-chan struct{}
	request  kmsg.Request
	response kmsg.Response
}

type actionKind int

const (
	actionPass actionKind = iota
	actionHold
	actionDrop
	actionAnswer
	actionRewrite
	actionDisconnect
)

// Pass lets the frame go on. Further hooks see it.
func Pass() Action { return Action{} }

// Hold keeps the frame, and all behind it in the same direction of the connection,
// until release is closed; then it goes on. It ends with the connection.
func Hold(release <-chan struct{}) Action { return Action{kind: actionHold, release: release} }

// Drop throws the frame away: a dropped request is never answered, those behind it
// are.
func Drop() Action { return Action{kind: actionDrop} }

// Answer makes the client receive resp. From a request hook: the broker never sees
// the request. From a response hook: in place of the broker's response. The version
// and the correlation id are set here, and the answer takes the place that the
// order of requests gives it.
func Answer(resp kmsg.Response) Action { return Action{kind: actionAnswer, response: resp} }

// Rewrite makes the broker receive req in place of the client's request. Version,
// correlation id and client id stay. Only for request hooks.
func Rewrite(req kmsg.Request) Action { return Action{kind: actionRewrite, request: req} }

// Disconnect resets the client's connection and the broker's; the frame goes
// nowhere.
func Disconnect() Action { return Action{kind: actionDisconnect} }
