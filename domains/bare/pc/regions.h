/* Choosing the free memory behind the image, and a page for the start-up of strands, from a loader's map. */
#ifndef CMTNOISE_REGIONS_H
#define CMTNOISE_REGIONS_H

#include <stdint.h>

enum { REGION_FREE = 1, REGION_PAGE = 4096, REGION_START_PAGE = 0x8000 };

#define REGION_GIGABYTE ((uint64_t)1 << 30)
#define REGION_MAPPED                                                                                                  \
	(4 * REGION_GIGABYTE) /* boot.S maps so much, in small pages; anything above is mapped by the gigabyte */

struct region_choice {
	uint64_t least, most; /* addresses between which memory is of use; most: whole gigabytes */
	uint64_t begin,
		bytes; /* the largest free stretch so far, in pages, above REGION_MAPPED in gigabytes; bytes 0: none */
	uint64_t start_page; /* a free page below 640 KB, if need be another than REGION_START_PAGE; 0: none */
};

/* A region of the map; only free ones count. */
void region_consider(struct region_choice *choice, uint64_t base, uint64_t bytes, uint32_t type);

/* All regions of a multiboot memory map of so many bytes: entries that each begin with their own size. */
void regions_of_multiboot(struct region_choice *choice, const void *map, uint32_t map_bytes);

#endif
