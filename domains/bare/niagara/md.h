/* The machine description that a sun4v hypervisor gives its guest: nodes with named properties (UltraSPARC Virtual Machine
 * Specification, "Machine description"; Linux, arch/sparc/kernel/mdesc.c, has the layout). Big-endian, on any host. */
#ifndef CMTNOISE_NIAGARA_MD_H
#define CMTNOISE_NIAGARA_MD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct md {
	const unsigned char *elements, *names, *data;
	size_t element_count, name_bytes, data_bytes;
};

/* False when these bytes are no machine description of a known version, whole. */
bool md_open(struct md *md, const void *bytes, size_t count);

/* The index of the first node with this name at or after `from`; md->element_count for none. */
size_t md_node(const struct md *md, const char *name, size_t from);

bool md_number(const struct md *md, size_t node, const char *property, uint64_t *value);

/* The first string of a property that is a string or a list of strings; cut to size. size >= 1. */
bool md_text(const struct md *md, size_t node, const char *property, char *text, size_t size);

#endif
