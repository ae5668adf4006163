#include "tests/unit/written_md.h"
#include <string.h>

void put_big(unsigned char *to, uint64_t value, size_t count)
{
	while (count--)
		*to++ = (unsigned char)(value >> 8 * count);
}

void md_add(struct written_md *w, char tag, const char *name, uint64_t value)
{
	unsigned char *e = w->elements + w->element_bytes;
	size_t length = strlen(name);
	e[0] = (unsigned char)tag;
	e[1] = (unsigned char)length;
	put_big(e + 2, 0, 2);
	put_big(e + 4, w->name_bytes, 4);
	put_big(e + 8, value, 8);
	memcpy(w->names + w->name_bytes, name, length + 1);
	w->name_bytes += length + 1;
	w->element_bytes += 16;
}

void md_add_text(struct written_md *w, const char *name, const char *text, size_t bytes)
{
	md_add(w, 'd', name, (uint64_t)bytes << 32 | w->data_bytes);
	memcpy(w->data + w->data_bytes, text, bytes);
	w->data_bytes += bytes;
}

size_t md_finish(struct written_md *w)
{
	md_add(w, 0, "", 0);
	put_big(w->all, 0x10000, 4);
	put_big(w->all + 4, w->element_bytes, 4);
	put_big(w->all + 8, w->name_bytes, 4);
	put_big(w->all + 12, w->data_bytes, 4);
	memcpy(w->all + 16, w->elements, w->element_bytes);
	memcpy(w->all + 16 + w->element_bytes, w->names, w->name_bytes);
	memcpy(w->all + 16 + w->element_bytes + w->name_bytes, w->data, w->data_bytes);
	return 16 + w->element_bytes + w->name_bytes + w->data_bytes;
}
