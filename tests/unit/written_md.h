/* A machine description that is put together: elements first, then names, then data. */
#ifndef CMTNOISE_TEST_WRITTEN_MD_H
#define CMTNOISE_TEST_WRITTEN_MD_H

#include <stddef.h>
#include <stdint.h>

struct written_md {
	unsigned char elements[1024], names[512], data[64], all[2048];
	size_t element_bytes, name_bytes, data_bytes;
};

/* The most significant byte first, as the hypervisor writes numbers. */
void put_big(unsigned char *to, uint64_t value, size_t count);

/* To a description that begins as all zeros. `tag` is the kind of element: 'N' begins a node, 'E' ends it, 'v' is a number. */
void md_add(struct written_md *w, char tag, const char *name, uint64_t value);
void md_add_text(struct written_md *w, const char *name, const char *text, size_t bytes);

/* Puts it together in `all`; its length. */
size_t md_finish(struct written_md *w);

#endif
