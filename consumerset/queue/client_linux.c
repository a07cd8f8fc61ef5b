#include "client.h"

int pl_linked(void) {
	return rd_kafka_queue_get_partition && rd_kafka_queue_forward && rd_kafka_queue_destroy &&
	       rd_kafka_queue_io_event_enable && rd_kafka_consume_batch_queue && rd_kafka_message_destroy &&
	       rd_kafka_message_timestamp && rd_kafka_message_headers && rd_kafka_header_get_all &&
	       rd_kafka_name && rd_kafka_type && rd_kafka_version;
}

// A header is written as the lengths of its name and value (4 bytes each, -1 for a
// value that is absent) and then both.
static int32_t header_bytes(const rd_kafka_headers_t *hs, int32_t *count) {
	const char *name;
	const void *value;
	size_t len;
	int32_t n = 0, bytes = 0;
	for (; rd_kafka_header_get_all(hs, n, &name, &value, &len) == 0; n++)
		bytes += 8 + (int32_t)strlen(name) + (value ? (int32_t)len : 0);
	*count = n;
	return bytes;
}

static char *put(char *to, const void *from, size_t len) {
	if (len)
		memcpy(to, from, len);
	return to + len;
}

static char *put_header(char *to, const rd_kafka_headers_t *hs, int32_t i) {
	const char *name;
	const void *value;
	size_t len;
	rd_kafka_header_get_all(hs, i, &name, &value, &len);
	int32_t name_len = (int32_t)strlen(name), value_len = value ? (int32_t)len : -1;
	to = put(to, &name_len, 4);
	to = put(to, &value_len, 4);
	to = put(to, name, name_len);
	return put(to, value, value_len > 0 ? value_len : 0);
}

ssize_t pl_read(rd_kafka_queue_t *q, uintptr_t *messages, pl_meta *meta, size_t max, int64_t *bytes) {
	// Time-out 0: with any other, closing the client waits for this call.
	ssize_t n = rd_kafka_consume_batch_queue(q, 0, (rd_kafka_message_t **)messages, max);
	*bytes = 0;
	for (ssize_t i = 0; i < n; i++) {
		rd_kafka_message_t *m = (rd_kafka_message_t *)messages[i];
		rd_kafka_headers_t *hs;
		pl_meta *x = &meta[i];
		int type;
		*x = (pl_meta){.offset = m->offset, .timestamp = -1, .err = m->err};
		// An error of the partition is a message with err; its payload is the text.
		x->key = m->key ? (int32_t)m->key_len : -1;
		x->value = m->payload ? (int32_t)m->len : -1;
		if (!m->err) {
			x->timestamp = rd_kafka_message_timestamp(m, &type);
			if (rd_kafka_message_headers(m, &hs) == 0)
				x->header_bytes = header_bytes(hs, &x->headers);
		}
		*bytes += (x->key > 0 ? x->key : 0) + (x->value > 0 ? x->value : 0) + x->header_bytes;
	}
	return n;
}

void pl_take(uintptr_t *messages, const pl_meta *meta, ssize_t n, char *to) {
	for (ssize_t i = 0; i < n; i++) {
		rd_kafka_message_t *m = (rd_kafka_message_t *)messages[i];
		rd_kafka_headers_t *hs;
		if (m->key)
			to = put(to, m->key, m->key_len);
		if (m->payload)
			to = put(to, m->payload, m->len);
		if (meta[i].headers && rd_kafka_message_headers(m, &hs) == 0)
			for (int32_t k = 0; k < meta[i].headers; k++)
				to = put_header(to, hs, k);
		rd_kafka_message_destroy(m);
	}
}

void pl_drop(rd_kafka_queue_t *q) {
	rd_kafka_message_t *m[64];
	ssize_t n;
	while ((n = rd_kafka_consume_batch_queue(q, 0, m, 64)) > 0)
		for (ssize_t i = 0; i < n; i++)
			rd_kafka_message_destroy(m[i]);
}
