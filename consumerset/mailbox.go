package consumerset

import "sync"

// mailbox is how others talk to a member's goroutine. Posting never blocks: there
// are few posters, and each of them has at most one message under way.
type mailbox struct {
	ready chan struct{} // capacity 1: a token says that there is something

	mu   sync.Mutex
	msgs []func()
}

func newMailbox() *mailbox { return &mailbox{ready: make(chan struct{}, 1)} }

// post hands over what the owner's goroutine is to do.
func (b *mailbox) post(do func()) {
	b.mu.Lock()
	b.msgs = append(b.msgs, do)
	b.mu.Unlock()
	select {
	case b.ready <- struct{}{}:
	default: // a token is there already
	}
}

// serve does what was posted, on the owner's goroutine, outside the lock.
func (b *mailbox) serve() {
	b.mu.Lock()
	msgs := b.msgs
	b.msgs = nil
	b.mu.Unlock()
	for _, do := range msgs {
		do()
	}
}
