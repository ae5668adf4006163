/* Known noise: a thread that steals slices of a strand on a schedule and keeps when and how long, results/FORMAT.md. */
#ifndef CMTNOISE_INJECT_H
#define CMTNOISE_INJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include "bind/topology.h"
#include "harness/record.h"

struct stolen {
	uint64_t start_counts, duration_counts;
};

struct injection {
	/* What to do. */
	const struct strand *strand;
	uint64_t period_ns, slice_ns, duration_ns;
	uint64_t timer_hz;
	const char *host, *label;

	/* What came of it. The thread adds to stolen, then counts: what is counted may be read while it still runs. */
	struct stolen *stolen;
	atomic_ullong count, missed;
	const char *realtime; /* "no" or the policy and priority */
	uint64_t start_time_ns;
	struct warnings warnings;
	int error; /* 0 or -errno, with the sentence in why */
	struct why why;
};

/* Slots that fit into the duration. */
uint64_t inject_slots(const struct injection *in);

/* Whether times and memory allow it. -EINVAL with a sentence. */
int inject_check(const struct injection *in, struct why *why);

/* Steals until the duration is over or the binding is lost. Returns in->error, or -EINTR when a signal came first (the thread
 * then still runs: the caller must end the program). */
int inject(struct injection *in);

/* The injection log. `status`: "complete", "interrupted" or "failed". */
void inject_write(struct text *t, const struct injection *in, const char *status);

#endif
