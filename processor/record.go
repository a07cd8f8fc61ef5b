package processor

import "time"

// Record is what a processor sends. Topic is required.
//
// Key and Value are not copied until Send returns: do not change them before.
// A nil Key lets the partitioner choose; a nil Value is a tombstone.
type Record struct {
	Topic   string
	Key     []byte
	Value   []byte
	Headers []Header
	// Partition, if not nil, is the partition to write to. Nil means by key,
	// with the partitioner that Java clients use (murmur2), or a sticky random
	// one without a key.
	Partition *int32
	// Timestamp, if not zero, is the record's create time. Zero means now.
	Timestamp time.Time
}
