package cluster

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

// Ports are handed out in blocks, so that one lock file stands for all ports of a
// cluster. The range ends below 32768, where Linux begins to take ports for
// outgoing connections.
const (
	portsFirst = 8192
	portsEnd   = 32768
	portsBlock = 64
)

// portBlock is a reserved block of ports.
type portBlock struct {
	base int
	lock *fileLock
}

// reservePorts takes a block whose first n ports are free. Processes begin their
// search at different blocks.
func reservePorts(dir string, n int) (*portBlock, error) {
	const blocks = (portsEnd - portsFirst) / portsBlock
	start := os.Getpid() * 7 % blocks
	for i := range blocks {
		base := portsFirst + (start+i)%blocks*portsBlock
		l, err := tryLock(filepath.Join(dir, strconv.Itoa(base)+".lock"))
		if err != nil {
			return nil, err
		}
		if l == nil {
			continue
		}
		if portsFree(base, n) {
			return &portBlock{base: base, lock: l}, nil
		}
		if err := l.unlock(); err != nil {
			return nil, err
		}
	}
	return nil, ErrNoPorts
}

// portsFree says whether all ports can be listened on: a program that knows
// nothing of the locks may have one of them.
func portsFree(base, n int) bool {
	for p := base; p < base+n; p++ {
		ln, err := listen(p)
		if err != nil {
			return false
		}
		if ln.Close() != nil {
			return false
		}
	}
	return true
}

func listen(port int) (net.Listener, error) {
	return net.Listen("tcp4", addr(port)) //nolint:noctx // local, returns at once
}

func (b *portBlock) release() error { return b.lock.unlock() }

// addr is the address of a port. All brokers and proxies are on the loopback
// interface.
func addr(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }
