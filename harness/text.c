#include "harness/text.h"
#include <stdbool.h>

void text_init(struct text *t, char *buffer, size_t size, int (*flush)(void *context, const char *bytes, size_t count),
	       void *context)
{
	*t = (struct text){.buffer = buffer, .size = size, .flush = flush, .context = context};
}

static void text_flush(struct text *t)
{
	if (t->used && !t->error)
		t->error = t->flush(t->context, t->buffer, t->used);
	t->used = 0;
}

static void text_char(struct text *t, char c)
{
	if (t->used == t->size)
		text_flush(t);
	t->buffer[t->used++] = c;
}

void text_bytes(struct text *t, const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_char(t, bytes[i]);
}

void text_string(struct text *t, const char *s)
{
	while (*s)
		text_char(t, *s++);
}

void text_line_value(struct text *t, const char *s)
{
	for (; *s; s++)
		text_char(t, (unsigned char)*s < 0x20 || *s == 0x7f ? '?' : *s);
}

void text_u64(struct text *t, uint64_t value)
{
	char digits[20];
	size_t at = sizeof digits;
	do
		digits[--at] = (char)('0' + value % 10);
	while (value /= 10);
	text_bytes(t, digits + at, sizeof digits - at);
}

void text_i64(struct text *t, int64_t value)
{
	if (value < 0)
		text_char(t, '-');
	text_u64(t, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void text_field(struct text *t, const char *key, const char *value)
{
	text_string(t, "# ");
	text_string(t, key);
	text_string(t, ": ");
	text_line_value(t, value);
	text_char(t, '\n');
}

void text_field_u64(struct text *t, const char *key, uint64_t value)
{
	text_string(t, "# ");
	text_string(t, key);
	text_string(t, ": ");
	text_u64(t, value);
	text_char(t, '\n');
}

int text_finish(struct text *t)
{
	text_flush(t);
	return t->error;
}

size_t text_utf8_length(const unsigned char *s)
{
	if (s[0] < 0x80)
		return 1;
	size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
	bool surrogate = s[0] == 0xed && s[1] > 0x9f;
	bool too_large = s[0] == 0xf4 && s[1] > 0x8f;
	return overlong || surrogate || too_large ? 0 : length;
}
