#include "domains/bare/pc/regions.h"
#include <string.h>

static void offer(struct region_choice *choice, uint64_t begin, uint64_t end, uint64_t unit)
{
	begin = (begin + unit - 1) / unit * unit;
	end = end / unit * unit;
	if (end > begin && end - begin > choice->bytes) {
		choice->begin = begin;
		choice->bytes = end - begin;
	}
}

/* The first page of memory is the BIOS's own, whatever the map says. */
static void offer_start_page(struct region_choice *choice, uint64_t base, uint64_t end)
{
	enum { LEAST = REGION_PAGE, MOST = 0xa0000 };
	uint64_t page = (base + REGION_PAGE - 1) / REGION_PAGE * REGION_PAGE;
	page = page > LEAST ? page : LEAST;
	end = end < MOST ? end : MOST;
	if (base <= REGION_START_PAGE && end >= REGION_START_PAGE + REGION_PAGE)
		choice->start_page = REGION_START_PAGE;
	else if (!choice->start_page && page + REGION_PAGE <= end)
		choice->start_page = page;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void region_consider(struct region_choice *choice, uint64_t base, uint64_t bytes, uint32_t type)
{
	uint64_t end = base + bytes;
	if (type != REGION_FREE || end < base)
		return;
	if (base < REGION_MAPPED)
		offer_start_page(choice, base, end);
	uint64_t begin = most_of(base, choice->least);
	end = least_of(end, choice->most);
	if (begin < REGION_MAPPED)
		offer(choice, begin, least_of(end, REGION_MAPPED), REGION_PAGE);
	if (end > REGION_MAPPED)
		offer(choice, most_of(begin, REGION_MAPPED), end, REGION_GIGABYTE);
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
