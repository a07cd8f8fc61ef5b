package lane

import (
	"bytes"
	"runtime"
	"strconv"
)

// goroutineID reads the caller's number from the first line of its stack,
// "goroutine 7 [running]:". It is only used to find the stack again.
func goroutineID() int64 {
	var buf [64]byte
	f := bytes.Fields(buf[:runtime.Stack(buf[:], false)])
	if len(f) < 2 {
		return -1
	}
	id, err := strconv.ParseInt(string(f[1]), 10, 64)
	if err != nil {
		return -1
	}
	return id
}

// maxStacks bounds the dump in which Stack looks for its goroutine, in bytes.
const maxStacks = 16 << 20

// Stack returns the stack of the lane's goroutine, which is the processor's
// while an attempt runs. It stops the world for a moment: once per slow attempt,
// not per scrape.
func (l *Lane) Stack() string {
	prefix := []byte("goroutine " + strconv.FormatInt(l.goid.Load(), 10) + " ")
	buf := make([]byte, 64<<10)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) || len(buf) >= maxStacks {
			buf = buf[:n]
			break
		}
		buf = make([]byte, 2*len(buf))
	}
	for g := range bytes.SplitSeq(buf, []byte("\n\n")) {
		if bytes.HasPrefix(g, prefix) {
			return string(g)
		}
	}
	return ""
}
