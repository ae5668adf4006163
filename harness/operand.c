#include "harness/operand.h"
#include <errno.h>
#include "harness/os/os.h"

enum { LINE = 64 };

static const uint64_t KB = 1024, MB = 1024 * 1024;

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

size_t operand_footprint(enum kernel_operand kind, const struct topology *t, uint64_t memory_bytes)
{
	/* Where the OS does not tell, sizes at which a chase still lands in the level it is named after on most machines. */
	uint64_t l1 = t->l1d_bytes ? t->l1d_bytes : 32 * KB;
	uint64_t l2 = t->l2_bytes ? t->l2_bytes : 8 * l1;
	uint64_t l3 = t->l3_bytes ? t->l3_bytes : larger(16 * MB, 8 * l2);
	uint64_t memory_share = memory_bytes ? memory_bytes / 4 : 256 * MB;

	switch (kind) {
	case OPERAND_CHASE_L1:
		return l1 / 2;
	case OPERAND_CHASE_L2: /* half, so that pages that fall together leave it whole; never so small that L1 serves it */
		return larger(l2 / 2, smaller(2 * l1, l2));
	case OPERAND_CHASE_L3: /* well past L2, and a small share of what other cores use as well */
		return smaller(larger(4 * l2, l3 / 8), l3 / 2);
	case OPERAND_CHASE_MEM:
		return smaller(larger(4 * l3, 64 * MB), memory_share);
	default:
		return 0;
	}
}

/* xorshift64*, Marsaglia 2003 / Vigna 2016; a fixed seed gives the same chase on every machine. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1d;
}

/* One cycle through every line in random order (Sattolo 1986), so that no prefetcher can follow. The permutation is shuffled
 * in the lines themselves and then turned into addresses, so it takes no memory besides. */
static void link_chase(unsigned char *memory, uint64_t lines)
{
	uint64_t seed = 0x9e3779b97f4a7c15;
	for (uint64_t i = 0; i < lines; i++)
		*(uint64_t *)(memory + i * LINE) = i;
	for (uint64_t i = lines - 1; i > 0; i--) {
		uint64_t *a = (uint64_t *)(memory + i * LINE);
		uint64_t *b = (uint64_t *)(memory + next_random(&seed) % i * LINE);
		uint64_t swap = *a;
		*a = *b;
		*b = swap;
	}
	for (uint64_t i = 0; i < lines; i++) {
		uint64_t *line = (uint64_t *)(memory + i * LINE);
		*(void **)line = memory + *line * LINE;
	}
}

/* Building leaves some lines in the last cache, where a chase through memory would find them for a while. Following the chase
 * for longer than that cache holds leaves there only what it comes back to last. */
static void *walk(void *link, uint64_t lines)
{
	while (lines--)
		link = *(void *volatile *)link;
	return link;
}

int operand_build(struct operand *o, enum kernel_operand kind, const struct topology *t, struct why *why)
{
	*o = (struct operand){.kind = kind};
	size_t bytes = operand_footprint(kind, t, os_memory_bytes()) / LINE * LINE;
	if (!bytes)
		return 0;
	o->memory = os_alloc(bytes, &o->locked);
	if (!o->memory)
		return why_set(why, -ENOMEM,
			       "no memory for a pointer chase of %zu MB: free some, or leave the memory kernels out",
			       bytes >> 20);
	o->bytes = bytes;
	link_chase(o->memory, bytes / LINE);
	o->start = walk(o->memory, smaller(bytes, 3 * t->l3_bytes / 2) / LINE);
	return 0;
}

void operand_free(struct operand *o)
{
	if (o->memory)
		os_free(o->memory, o->bytes);
	o->memory = NULL;
}

void *operand_view_init(struct operand_view *view, const struct operand *o, unsigned index)
{
	if (o->kind == OPERAND_NONE)
		return NULL;
	if (o->kind == OPERAND_SCRATCH)
		return view->scratch;
	/* Strands that run at once start far apart, so that none finds its lines fetched by another. */
	uint64_t lines = o->bytes / LINE,
		 first = (uint64_t)((unsigned char *)o->start - (unsigned char *)o->memory) / LINE;
	view->cell = (unsigned char *)o->memory + (first + index * 0x9e3779b1) % lines * LINE;
	return &view->cell;
}

void operand_view_end(const struct operand_view *view, struct operand *o)
{
	if (o->start)
		o->start = view->cell;
}
