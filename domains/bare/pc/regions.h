/* Choosing the free memory behind the image from a loader's map. */
#ifndef CMTNOISE_REGIONS_H
#define CMTNOISE_REGIONS_H

#include <stdint.h>

enum { REGION_FREE = 1 };

struct region_choice {
	uint64_t least, most;  /* addresses between which memory is of use */
	uint64_t begin, bytes; /* the largest free stretch so far, aligned to pages; bytes 0: none */
};

/* A region of the map; only free ones count. */
void region_consider(struct region_choice *choice, uint64_t base, uint64_t bytes, uint32_t type);

/* All regions of a multiboot memory map of so many bytes: entries that each begin with their own size. */
void regions_of_multiboot(struct region_choice *choice, const void *map, uint32_t map_bytes);

#endif
