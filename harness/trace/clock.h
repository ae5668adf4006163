/* From the clock that events are stamped with to counts of the timer. */
#ifndef CMTNOISE_TRACE_CLOCK_H
#define CMTNOISE_TRACE_CLOCK_H

#include <stdint.h>

/* One moment on both clocks. */
struct clock_pair {
	uint64_t clock_ns, counts;
	uint64_t
		error_counts; /* the counts may be off by this much: half of what passed between two readings around the clock's */
};

/* Reads the clock between two readings of the timer, several times, and keeps the tightest: the first is disturbed most. */
struct clock_pair clock_pair_take(uint64_t (*timer_counts)(void), uint64_t (*clock_ns)(void));

/* Counts from origin_counts to a moment of the clock, on the line through two pairs; both may lie before or after it. */
int64_t clock_to_counts(const struct clock_pair *before, const struct clock_pair *after, uint64_t clock_ns,
			uint64_t origin_counts);

#endif
