#include "harness/json.h"

void json_init(struct json *j, struct text *text)
{
	*j = (struct json){.text = text, .first = true};
}

static void indent(struct json *j)
{
	text_string(j->text, "\n");
	for (unsigned i = 0; i < j->depth; i++)
		text_string(j->text, "  ");
}

static void escape(struct json *j, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	if (c == '"' || c == '\\') {
		text_bytes(j->text, (const char[]){'\\', (char)c}, 2);
	} else if (c == '\n') {
		text_string(j->text, "\\n");
	} else {
		text_string(j->text, "\\u00");
		text_bytes(j->text, (const char[]){hex[c >> 4], hex[c & 15]}, 2);
	}
}

static void quoted(struct json *j, const char *value)
{
	const unsigned char *s = (const unsigned char *)value;
	text_string(j->text, "\"");
	while (*s) {
		size_t length = text_utf8_length(s);
		if (!length)
			text_string(j->text, "\xef\xbf\xbd");
		else if (*s < 0x20 || *s == '"' || *s == '\\' || *s == 0x7f)
			escape(j, *s);
		else
			text_bytes(j->text, (const char *)s, length);
		s += length ? length : 1;
	}
	text_string(j->text, "\"");
}

/* Everything that stands before a value: comma, line, key. */
static void begin(struct json *j, const char *key)
{
	if (!j->first)
		text_string(j->text, ",");
	if (j->depth)
		indent(j);
	j->first = false;
	if (!key)
		return;
	quoted(j, key);
	text_string(j->text, ": ");
}

static void open(struct json *j, const char *key, const char *bracket)
{
	begin(j, key);
	text_string(j->text, bracket);
	j->depth++;
	j->first = true;
}

static void close(struct json *j, const char *bracket)
{
	bool empty = j->first;
	j->depth--;
	j->first = false;
	if (!empty)
		indent(j);
	text_string(j->text, bracket);
	if (!j->depth)
		text_string(j->text, "\n");
}

void json_object(struct json *j, const char *key)
{
	open(j, key, "{");
}

void json_end_object(struct json *j)
{
	close(j, "}");
}

void json_list(struct json *j, const char *key)
{
	open(j, key, "[");
}

void json_end_list(struct json *j)
{
	close(j, "]");
}

void json_string(struct json *j, const char *key, const char *value)
{
	if (!value) {
		json_null(j, key);
		return;
	}
	begin(j, key);
	quoted(j, value);
}

void json_u64(struct json *j, const char *key, uint64_t value)
{
	begin(j, key);
	text_u64(j->text, value);
}

void json_i64(struct json *j, const char *key, int64_t value)
{
	begin(j, key);
	text_i64(j->text, value);
}

void json_bool(struct json *j, const char *key, bool value)
{
	begin(j, key);
	text_string(j->text, value ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
	begin(j, key);
	text_string(j->text, "null");
}
