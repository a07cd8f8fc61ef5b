// The part of librdkafka's public interface that the binding does not give out.
// The declarations are weak because this package is compiled before the archive of
// the binding is known; all are found when the program is linked, and pl_linked
// says so.
#ifndef PITLANE_QUEUE_CLIENT_H
#define PITLANE_QUEUE_CLIENT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef struct rd_kafka_s rd_kafka_t;
typedef struct rd_kafka_queue_s rd_kafka_queue_t;
typedef struct rd_kafka_topic_s rd_kafka_topic_t;
typedef struct rd_kafka_headers_s rd_kafka_headers_t;

// Its layout is public ABI (rdkafka.h).
typedef struct {
	int err;
	rd_kafka_topic_t *rkt;
	int32_t partition;
	void *payload;
	size_t len;
	void *key;
	size_t key_len;
	int64_t offset;
	void *_private;
} rd_kafka_message_t;

#define PL_CONSUMER 1
#define PL_WEAK extern __attribute__((weak))

PL_WEAK rd_kafka_queue_t *rd_kafka_queue_get_partition(rd_kafka_t *, const char *, int32_t);
PL_WEAK void rd_kafka_queue_forward(rd_kafka_queue_t *, rd_kafka_queue_t *);
PL_WEAK void rd_kafka_queue_destroy(rd_kafka_queue_t *);
PL_WEAK void rd_kafka_queue_io_event_enable(rd_kafka_queue_t *, int, const void *, size_t);
PL_WEAK ssize_t rd_kafka_consume_batch_queue(rd_kafka_queue_t *, int, rd_kafka_message_t **, size_t);
PL_WEAK void rd_kafka_message_destroy(rd_kafka_message_t *);
PL_WEAK int64_t rd_kafka_message_timestamp(const rd_kafka_message_t *, int *);
PL_WEAK int rd_kafka_message_headers(const rd_kafka_message_t *, rd_kafka_headers_t **);
PL_WEAK int rd_kafka_header_get_all(const rd_kafka_headers_t *, size_t, const char **, const void **, size_t *);
PL_WEAK const char *rd_kafka_name(const rd_kafka_t *);
PL_WEAK int rd_kafka_type(const rd_kafka_t *);
PL_WEAK int rd_kafka_version(void);

// What Go needs to know of a message before the bytes are copied. Lengths of -1
// stand for a value that is absent.
typedef struct {
	int64_t offset, timestamp;
	int32_t key, value, err, headers, header_bytes, pad;
} pl_meta;

int pl_linked(void);
ssize_t pl_read(rd_kafka_queue_t *q, uintptr_t *messages, pl_meta *meta, size_t max, int64_t *bytes);
void pl_take(uintptr_t *messages, const pl_meta *meta, ssize_t n, char *to);
void pl_drop(rd_kafka_queue_t *q);

#endif
