/* Text built in a fixed buffer and flushed through a function: records and JSON are written with it, hosted or bare.
 * Freestanding. Errors stick: after a failed flush the calls do nothing and text_finish() returns the error. */
#ifndef CMTNOISE_TEXT_H
#define CMTNOISE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
	char *buffer;
	size_t size, used;
	int (*flush)(void *context, const char *bytes, size_t count); /* 0 or -errno */
	void *context;
	int error;
};

void text_init(struct text *t, char *buffer, size_t size, int (*flush)(void *context, const char *bytes, size_t count),
	       void *context);
void text_bytes(struct text *t, const char *bytes, size_t count);
void text_string(struct text *t, const char *s);
void text_line_value(struct text *t, const char *s); /* control characters become '?', so it stays one line */
void text_u64(struct text *t, uint64_t value);
void text_i64(struct text *t, int64_t value);
void text_field(struct text *t, const char *key, const char *value); /* the header line "# key: value" */
void text_field_u64(struct text *t, const char *key, uint64_t value);
int text_finish(struct text *t); /* flushes; 0 or the first error */

/* Length of the well-formed UTF-8 sequence at s (RFC 3629), 0 if there is none. */
size_t text_utf8_length(const unsigned char *s);

#endif
