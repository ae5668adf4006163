/* Intel SDM vol. 3, 9.9.3 (leaves 1Fh and 0Bh, before them 1 and 4); AMD APM vol. 3, E.4 (leaves 80000008h and 8000001Eh). */
#include "domains/bare/pc/place.h"
#include <stdbool.h>

enum { MOST_BITS = 31 };

/* A leaf whose subleaves each are a level from the strand upwards, 0 for the end. */
static bool by_levels(struct place_bits *bits, unsigned leaf, struct cpuid_leaf (*ask)(unsigned leaf, unsigned subleaf))
{
	enum { END, STRAND, MOST_LEVELS = 8 };
	*bits = (struct place_bits){0, 0};
	if (ask(0, 0).a < leaf)
		return false;
	for (unsigned i = 0; i < MOST_LEVELS; i++) {
		struct cpuid_leaf level = ask(leaf, i);
		unsigned type = level.c >> 8 & 0xff;
		if (type == END || !(level.b & 0xffff))
			break;
		bits->package = level.a & MOST_BITS;
		if (type == STRAND)
			bits->core = level.a & MOST_BITS;
	}
	return bits->package > 0 && bits->core <= bits->package;
}

static unsigned bits_for(unsigned count)
{
	unsigned bits = 0;
	while (bits < MOST_BITS && 1u << bits < count)
		bits++;
	return bits;
}

/* By the ids that a package has room for, and the cores or the strands of a core among them. */
static struct place_bits by_counts(struct cpuid_leaf (*ask)(unsigned leaf, unsigned subleaf))
{
	enum { SEVERAL = 1 << 28, CORES_KNOWN = 4, HIGHEST_EXTENDED = 0x80000000 };
	struct cpuid_leaf one = ask(1, 0);
	struct place_bits bits = {0, one.d & SEVERAL ? bits_for(one.b >> 16 & 0xff) : 0};
	unsigned extended = ask(HIGHEST_EXTENDED, 0).a;
	if (ask(0, 0).a >= CORES_KNOWN && ask(4, 0).a & 31) {
		unsigned core_ids = bits_for((ask(4, 0).a >> 26) + 1);
		bits.core = core_ids < bits.package ? bits.package - core_ids : 0;
	} else if (extended >= 0x8000001e && ask(0x80000001, 0).c & 1 << 22) {
		bits.core = bits_for((ask(0x8000001e, 0).b >> 8 & 0xff) + 1);
	}
	if (extended >= 0x80000008 && ask(0x80000008, 0).c >> 12 & 15)
		bits.package = ask(0x80000008, 0).c >> 12 & 15;
	return bits;
}

struct place_bits place_bits(struct cpuid_leaf (*ask)(unsigned leaf, unsigned subleaf))
{
	struct place_bits bits;
	if (by_levels(&bits, 0x1f, ask) || by_levels(&bits, 0x0b, ask))
		return bits;
	return by_counts(ask);
}
