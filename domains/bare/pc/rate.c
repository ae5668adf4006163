#include "domains/bare/pc/rate.h"

bool rate_plausible(uint64_t hz)
{
	static const uint64_t LEAST_HZ = 100000000, MOST_HZ = 10000000000;
	return hz >= LEAST_HZ && hz <= MOST_HZ;
}

uint64_t rate_scale(uint64_t counts, uint64_t hz, uint64_t per)
{
	if (!per)
		return 0;
	return counts / per * hz + (counts % per * hz + per / 2) / per;
}

uint64_t rate_middle(uint64_t *tries, unsigned count, bool *agree)
{
	for (unsigned i = 1; i < count; i++) {
		unsigned at = i;
		uint64_t moving = tries[i];
		for (; at && tries[at - 1] > moving; at--)
			tries[at] = tries[at - 1];
		tries[at] = moving;
	}
	uint64_t middle = tries[count / 2];
	*agree = tries[count - 1] - tries[0] <= middle / 100;
	return middle;
}
