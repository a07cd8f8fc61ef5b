package queue

/*
#include "client.h"
*/
import "C"

import (
	"encoding/binary"
	"time"
	"unsafe"

	"github.com/pitlane-go/pitlane/processor"
)

// decoder cuts a batch's messages out of one slab: one allocation for all bytes,
// one for the messages, one for their headers.
type decoder struct {
	feed *Feed
	slab []byte
	at   int
}

// take copies the bytes into the slab and frees the C messages.
func (d *decoder) take(sc *scratch, n int) {
	var to *C.char
	if len(d.slab) > 0 {
		to = (*C.char)(unsafe.Pointer(&d.slab[0]))
	}
	C.pl_take(&sc.messages[0], &sc.meta[0], C.ssize_t(n), to)
}

// decode makes the messages, and finds the errors among them: those that kill the
// feed end the batch, the others are returned.
func (d *decoder) decode(meta []C.pl_meta) (msgs []processor.Message, passing []*PartitionError) {
	f, total := d.feed, 0
	for i := range meta {
		total += int(meta[i].headers)
	}
	msgs = make([]processor.Message, 0, len(meta))
	headers := make([]processor.Header, 0, total)
	next, dropped := f.next.Load(), int64(0)
	for i := range meta {
		x := &meta[i]
		key, value := d.bytes(int(x.key)), d.bytes(int(x.value))
		if x.err != 0 {
			e := NewPartitionError(f.topic, f.partition, int64(x.offset), int(x.err), string(value))
			if e.Dead() {
				f.dead = e
				break
			}
			passing = append(passing, e)
			continue
		}
		first := len(headers)
		headers = d.headers(headers, int(x.headers))
		if int64(x.offset) < next {
			dropped++
			continue
		}
		next = int64(x.offset) + 1
		m := processor.Message{Topic: f.topic, Partition: f.partition, Offset: int64(x.offset), Key: key, Value: value}
		if x.headers > 0 {
			m.Headers = headers[first:len(headers):len(headers)]
		}
		if x.timestamp >= 0 {
			m.Timestamp = time.UnixMilli(int64(x.timestamp))
		}
		msgs = append(msgs, m)
	}
	f.next.Store(next)
	f.dropped.Add(dropped)
	return msgs, passing
}

// bytes takes the next n bytes: nil for a negative length, empty for 0.
func (d *decoder) bytes(n int) []byte {
	if n < 0 {
		return nil
	}
	b := d.slab[d.at : d.at+n : d.at+n]
	d.at += n
	return b
}

func (d *decoder) length() int {
	return int(int32(binary.NativeEndian.Uint32(d.bytes(4))))
}

// headers appends n headers to to, which has room for them.
func (d *decoder) headers(to []processor.Header, n int) []processor.Header {
	for range n {
		name, value := d.length(), d.length()
		k := d.bytes(name)
		to = append(to, processor.Header{
			Key:   unsafe.String(unsafe.SliceData(k), len(k)), // the slab is never written again
			Value: d.bytes(value),
		})
	}
	return to
}
