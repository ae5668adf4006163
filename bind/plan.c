#include "bind/plan.h"
#include <errno.h>
#include <stdlib.h>

int plan_make(struct plan *plan, const struct strand_set *strands, const struct kernel *const *kernels,
	      size_t kernel_count, uint64_t rounds)
{
	size_t steps = strands->count * kernel_count;
	plan->count = 0;
	if (steps && rounds > (SIZE_MAX - 1) / steps)
		return -ENOMEM;
	plan->steps = calloc(rounds * steps + 1, sizeof *plan->steps);
	if (!plan->steps)
		return -ENOMEM;
	for (uint64_t round = 1; round <= rounds; round++)
		for (size_t k = 0; k < kernel_count; k++)
			for (size_t s = 0; s < strands->count; s++)
				plan->steps[plan->count++] = (struct plan_step){strands->items[s], kernels[k], round};
	return 0;
}

void plan_free(struct plan *plan)
{
	free(plan->steps);
	plan->steps = NULL;
	plan->count = 0;
}
