#include "bind/plan.h"
#include <errno.h>
#include <stdlib.h>

int plan_make(struct plan *plan, const struct strand_set *strands, const struct kernel *const *kernels,
	      size_t kernel_count)
{
	plan->count = 0;
	plan->steps = calloc(strands->count * kernel_count + 1, sizeof *plan->steps);
	if (!plan->steps)
		return -ENOMEM;
	for (size_t k = 0; k < kernel_count; k++)
		for (size_t s = 0; s < strands->count; s++)
			plan->steps[plan->count++] = (struct plan_step){strands->items[s], kernels[k]};
	return 0;
}

void plan_free(struct plan *plan)
{
	free(plan->steps);
	plan->steps = NULL;
	plan->count = 0;
}
