package queue

/*
#include "client.h"
*/
import "C"

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// handle finds the client's rd_kafka_t. The binding does not export it, so every
// step is checked, in this order: a changed layout is an error, not a crash. The
// name of the pointer's type alone makes the dereference safe.
func handle(c *kafka.Consumer) (*C.rd_kafka_t, error) {
	if C.pl_linked() == 0 {
		return nil, fmt.Errorf("%w: symbols of the client library are missing", ErrUnavailable)
	}
	h := reflect.ValueOf(c).Elem().FieldByName("handle")
	if !h.IsValid() || h.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%w: the consumer has no handle struct", ErrUnavailable)
	}
	f := h.FieldByName("rk")
	if !f.IsValid() || f.Kind() != reflect.Pointer || f.Type().Elem().Name() != "_Ctype_struct_rd_kafka_s" {
		return nil, fmt.Errorf("%w: the handle has no client pointer", ErrUnavailable)
	}
	p := f.UnsafePointer()
	if p == nil {
		return nil, fmt.Errorf("%w: the client pointer is nil", ErrUnavailable)
	}
	rk := (*C.rd_kafka_t)(p)
	if name := C.GoString(C.rd_kafka_name(rk)); name != c.String() {
		return nil, fmt.Errorf("%w: the client is %q, not %q", ErrUnavailable, name, c.String())
	}
	if C.rd_kafka_type(rk) != C.PL_CONSUMER {
		return nil, fmt.Errorf("%w: the client is no consumer", ErrUnavailable)
	}
	if v, _ := kafka.LibraryVersion(); int(C.rd_kafka_version()) != v {
		return nil, fmt.Errorf("%w: client library %x, binding %x", ErrUnavailable, int(C.rd_kafka_version()), v)
	}
	return rk, nil
}

// partitionQueue takes a partition's queue out of the shared one.
func partitionQueue(rk *C.rd_kafka_t, topic string, partition int32) (*C.rd_kafka_queue_t, error) {
	t := C.CString(topic)
	defer C.free(unsafe.Pointer(t))
	q := C.rd_kafka_queue_get_partition(rk, t, C.int32_t(partition))
	if q == nil {
		return nil, fmt.Errorf("%w: no queue for %s[%d]", ErrUnavailable, topic, partition)
	}
	C.rd_kafka_queue_forward(q, nil)
	return q, nil
}

// arm makes the client write payload to fd when the queue becomes non-empty.
func arm(q *C.rd_kafka_queue_t, fd int, payload []byte) {
	b := C.CBytes(payload) // the client copies it
	C.rd_kafka_queue_io_event_enable(q, C.int(fd), b, C.size_t(len(payload)))
	C.free(b)
}

// disarm takes the queue's lock: nothing is written after it has returned.
func disarm(q *C.rd_kafka_queue_t) { C.rd_kafka_queue_io_event_enable(q, -1, nil, 0) }
