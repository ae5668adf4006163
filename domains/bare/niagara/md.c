#include "domains/bare/niagara/md.h"
#include <string.h>

/* An element: tag, length of its name, 2 bytes unused, 4 where its name is; then 8 of value, or 4 of length and 4 where
 * its data is. */
enum { HEADER = 16, ELEMENT = 16, MAJOR_VERSION = 1 };
enum { LIST_END = 0, NODE = 'N', NODE_END = 'E', NUMBER = 'v', STRING = 's', DATA = 'd' };

static uint64_t big_endian(const unsigned char *bytes, size_t count)
{
	uint64_t value = 0;
	for (size_t i = 0; i < count; i++)
		value = value << 8 | bytes[i];
	return value;
}

bool md_open(struct md *md, const void *bytes, size_t count)
{
	const unsigned char *header = bytes;
	if (count < HEADER || big_endian(header, 4) >> 16 != MAJOR_VERSION)
		return false;
	uint64_t node_bytes = big_endian(header + 4, 4), name_bytes = big_endian(header + 8, 4),
		 data_bytes = big_endian(header + 12, 4);
	if (node_bytes % ELEMENT || node_bytes + name_bytes + data_bytes > count - HEADER)
		return false;
	md->elements = header + HEADER;
	md->element_count = node_bytes / ELEMENT;
	md->names = md->elements + node_bytes;
	md->name_bytes = name_bytes;
	md->data = md->names + name_bytes;
	md->data_bytes = data_bytes;
	return true;
}

static const unsigned char *element(const struct md *md, size_t index)
{
	return md->elements + index * ELEMENT;
}

static bool is_named(const struct md *md, const unsigned char *e, const char *name)
{
	size_t length = strlen(name), at = big_endian(e + 4, 4);
	return length == e[1] && at <= md->name_bytes && length <= md->name_bytes - at &&
	       !memcmp(md->names + at, name, length);
}

size_t md_node(const struct md *md, const char *name, size_t from)
{
	for (size_t i = from; i < md->element_count && *element(md, i) != LIST_END; i++)
		if (*element(md, i) == NODE && is_named(md, element(md, i), name))
			return i;
	return md->element_count;
}

/* NULL for none with this name and one of these tags. */
static const unsigned char *property(const struct md *md, size_t node, const char *name, const char *tags)
{
	for (size_t i = node + 1; i < md->element_count; i++) {
		const unsigned char *e = element(md, i);
		if (*e == NODE_END || *e == NODE || *e == LIST_END)
			break;
		if ((*e == tags[0] || *e == tags[1]) && is_named(md, e, name))
			return e;
	}
	return NULL;
}

bool md_number(const struct md *md, size_t node, const char *name, uint64_t *value)
{
	const unsigned char *e = property(md, node, name, (const char[]){NUMBER, NUMBER});
	if (e)
		*value = big_endian(e + 8, 8);
	return e != NULL;
}

bool md_text(const struct md *md, size_t node, const char *name, char *text, size_t size)
{
	const unsigned char *e = property(md, node, name, (const char[]){STRING, DATA});
	if (!e)
		return false;
	size_t length = big_endian(e + 8, 4), at = big_endian(e + 12, 4), used = 0;
	if (at > md->data_bytes || length > md->data_bytes - at)
		return false;
	while (used + 1 < size && used < length && md->data[at + used]) {
		text[used] = (char)md->data[at + used];
		used++;
	}
	text[used] = 0;
	return true;
}
