/* The timer's test of itself, before anything is measured with it. */
#ifndef CMTNOISE_TIMER_TEST_H
#define CMTNOISE_TIMER_TEST_H

#include "bind/select.h"
#include "harness/why.h"

struct timer_facts {
	uint64_t hz;            /* counts a second, against the OS clock */
	uint64_t step_counts;   /* smallest difference other than 0 between two reads */
	uint64_t cost_counts;   /* median difference between two reads in a row */
	int64_t rate_error_ppm; /* rate while the strand sleeps against the rate while it is busy */
	bool skew_known;
	uint64_t
		skew_ns; /* largest offset between the strands' counters that is certain (beyond the method's own error) */
};

/* Tests step, order and rate on the calling strand in about 20 ms. A counter that stands still, steps back or changes its
 * rate: -EIO and the reason. */
int timer_test(struct timer_facts *facts, struct why *why);

/* The part of it that needs no second clock: step_counts and cost_counts. */
int timer_test_steps(struct timer_facts *facts, struct why *why);

/* -EINVAL when a stamp would take more than a hundredth of the quantum. */
int timer_check_quantum(const struct timer_facts *facts, uint64_t quantum_ns, struct why *why);

/* Adds the skew between the first of the strands and each other one. -EIO when it exceeds a microsecond. */
int timer_test_skew(struct timer_facts *facts, const struct strand_set *strands, struct why *why);

#endif
