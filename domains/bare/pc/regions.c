#include "domains/bare/pc/regions.h"
#include <string.h>

enum { PAGE = 4096 };

void region_consider(struct region_choice *choice, uint64_t base, uint64_t bytes, uint32_t type)
{
	uint64_t end = base + bytes;
	if (type != REGION_FREE || end < base)
		return;
	uint64_t begin = base > choice->least ? base : choice->least;
	end = end < choice->most ? end : choice->most;
	begin = (begin + PAGE - 1) / PAGE * PAGE;
	end = end / PAGE * PAGE;
	if (end > begin && end - begin > choice->bytes) {
		choice->begin = begin;
		choice->bytes = end - begin;
	}
}

void regions_of_multiboot(struct region_choice *choice, const void *map, uint32_t map_bytes)
{
	struct __attribute__((packed)) entry {
		uint32_t size; /* of what follows */
		uint64_t base, bytes;
		uint32_t type;
	} entry;
	const unsigned char *at = map;
	while (map_bytes >= sizeof entry) {
		memcpy(&entry, at, sizeof entry);
		uint64_t step = (uint64_t)entry.size + sizeof entry.size;
		if (step < sizeof entry)
			return;
		region_consider(choice, entry.base, entry.bytes, entry.type);
		if (step > map_bytes)
			return;
		at += step;
		map_bytes -= (uint32_t)step;
	}
}
