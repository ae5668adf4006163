/* A plan: which strand runs which kernel, in what order. Within a round kernels are the outer loop, so that an operand that is
 * costly to build (a pointer chase through memory) is built once and used on every strand. Rounds are outermost: what changes
 * slowly on the machine then meets every kernel and strand, not the last ones. */
#ifndef CMTNOISE_PLAN_H
#define CMTNOISE_PLAN_H

#include "asm/kernel.h"
#include "bind/select.h"

struct plan_step {
	const struct strand *strand;
	const struct kernel *kernel;
	uint64_t round; /* from 1 */
};

struct plan {
	struct plan_step *steps;
	size_t count;
};

int plan_make(struct plan *plan, const struct strand_set *strands, const struct kernel *const *kernels,
	      size_t kernel_count, uint64_t rounds); /* 0 or -ENOMEM */
void plan_free(struct plan *plan);

#endif
