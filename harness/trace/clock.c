#include "harness/trace/clock.h"

enum { TRIES = 32 };

struct clock_pair clock_pair_take(uint64_t (*timer_counts)(void), uint64_t (*clock_ns)(void))
{
	struct clock_pair best = {.error_counts = UINT64_MAX};
	for (int i = 0; i < TRIES; i++) {
		uint64_t before = timer_counts(), now = clock_ns(), width = timer_counts() - before;
		if ((width + 1) / 2 < best.error_counts)
			best = (struct clock_pair){now, before + width / 2, (width + 1) / 2};
	}
	return best;
}

/* Differences stay small enough for a double to hold them to a fraction of a count; absolute values do not. */
int64_t clock_to_counts(const struct clock_pair *before, const struct clock_pair *after, uint64_t clock_ns,
			uint64_t origin_counts)
{
	double span_ns = (double)(int64_t)(after->clock_ns - before->clock_ns);
	double span_counts = (double)(int64_t)(after->counts - before->counts);
	double since_ns = (double)(int64_t)(clock_ns - before->clock_ns);
	double since_counts = span_ns > 0 ? since_ns * span_counts / span_ns : 0;
	return (int64_t)(before->counts - origin_counts) + (int64_t)(since_counts + (since_counts < 0 ? -0.5 : 0.5));
}
