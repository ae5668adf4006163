/* JSON written through a struct text: commas, indentation and escapes are seen to here. Freestanding. */
#ifndef CMTNOISE_JSON_H
#define CMTNOISE_JSON_H

#include <stdbool.h>
#include "harness/text.h"

struct json {
	struct text *text;
	unsigned depth;
	bool first; /* nothing written yet at this depth */
};

/* key is NULL inside a list and for the outermost value. A NULL string is written as null; bytes that are not UTF-8
 * are written as U+FFFD. */
void json_init(struct json *j, struct text *text);
void json_object(struct json *j, const char *key);
void json_end_object(struct json *j);
void json_list(struct json *j, const char *key);
void json_end_list(struct json *j);
void json_string(struct json *j, const char *key, const char *value);
void json_u64(struct json *j, const char *key, uint64_t value);
void json_i64(struct json *j, const char *key, int64_t value);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);

#endif
