/* cmocka with the headers it asks for, and a text that collects what is written. */
#ifndef CMTNOISE_TEST_H
#define CMTNOISE_TEST_H

/* clang-format off: cmocka.h wants these first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <string.h>
#include "harness/text.h"

struct collected {
	char bytes[65536];
	size_t count;
	struct text text;
	char buffer[16]; /* small, so that every test crosses its end */
};

static inline int collect(void *context, const char *bytes, size_t count)
{
	struct collected *c = context;
	assert_true(c->count + count < sizeof c->bytes);
	memcpy(c->bytes + c->count, bytes, count);
	c->count += count;
	c->bytes[c->count] = 0;
	return 0;
}

static inline void collect_begin(struct collected *c)
{
	c->count = 0;
	c->bytes[0] = 0;
	text_init(&c->text, c->buffer, sizeof c->buffer, collect, c);
}

#endif
