package cluster

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

func TestReservedPortsAreNotGivenTwice(t *testing.T) {
	dir := t.TempDir()
	first, err := reservePorts(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	second, err := reservePorts(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	if first.base == second.base {
		t.Errorf("both have the block at %d", first.base)
	}
	if err := first.release(); err != nil {
		t.Fatal(err)
	}
	third, err := reservePorts(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	if third.base != first.base {
		t.Errorf("a released block is not used again: %d, want %d", third.base, first.base)
	}
	for _, b := range []*portBlock{second, third} {
		if b.base < portsFirst || b.base+portsBlock > portsEnd {
			t.Errorf("block at %d is out of range", b.base)
		}
		if err := b.release(); err != nil {
			t.Error(err)
		}
	}
}

func TestABlockWithAPortInUseIsSkipped(t *testing.T) {
	dir := t.TempDir()
	first, err := reservePorts(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := listen(first.base + 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	if err := first.release(); err != nil {
		t.Fatal(err)
	}
	second, err := reservePorts(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	if second.base == first.base {
		t.Error("a block with a port in use was given out")
	}
	if err := second.release(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, strconv.Itoa(first.base)+".lock")); err != nil {
		t.Error("the lock file must stay:", err)
	}
}

func TestPortsOfTheLargestClusterFitIntoABlock(t *testing.T) {
	p := ports{base: 9000, brokers: 3, worlds: ExtraListenersMax}
	if p.count() > portsBlock {
		t.Fatalf("%d ports in a block of %d", p.count(), portsBlock)
	}
	seen := map[int]bool{}
	for b := 1; b <= 3; b++ {
		all := []int{p.direct(b), p.controller(b)}
		for w := range ExtraListenersMax {
			all = append(all, p.listen(w, b), p.advertised(w, b))
		}
		for _, port := range all {
			if seen[port] || port < p.base || port >= p.base+p.count() {
				t.Errorf("port %d is used twice or outside", port)
			}
			seen[port] = true
		}
	}
}

// The hashes are those of Java's String.hashCode.
func TestGroupsHashAsInJava(t *testing.T) {
	for name, want := range map[string]int32{
		"":                       0,
		"group":                  47,
		"polygenelubricants":     0,  // hash -2147483648
		"zzzzzz":                 14, // a negative hash
		"grüße":                  23,
		"a-😀":                    21, // two UTF-16 units
		"console-consumer-12345": 6,
	} {
		if got := groupPartition(name, 50); got != want {
			t.Errorf("groupPartition(%q) = %d, want %d", name, got, want)
		}
	}
}

func TestPreferredReplicaComesFirst(t *testing.T) {
	for _, c := range []struct{ in, want []int32 }{
		{[]int32{1, 2, 3}, []int32{2, 1, 3}},
		{[]int32{2, 1}, []int32{2, 1}},
		{[]int32{1, 3}, []int32{2, 1}},
		{[]int32{1}, []int32{2}},
	} {
		got := preferred(c.in, 2)
		if len(got) != len(c.want) {
			t.Fatalf("preferred(%v, 2) = %v", c.in, got)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("preferred(%v, 2) = %v, want %v", c.in, got, c.want)
			}
		}
	}
}
