/* What `run`, `sweep` and `inject` need before they begin: the topology, the strands, the kernels, a timer that passed its test. */
#ifndef CMTNOISE_SESSION_H
#define CMTNOISE_SESSION_H

#include "bind/plan.h"
#include "bind/select.h"
#include "harness/options.h"
#include "harness/record.h"
#include "harness/timer_test.h"

struct skipped_kernel {
	const struct kernel *kernel;
	char reason[80];
};

struct session {
	const struct settings *settings;
	struct topology topology;
	struct strand_set strands;
	const struct kernel **kernels;
	size_t kernel_count;
	struct skipped_kernel *skipped;
	size_t skipped_count;
	struct plan plan;
	struct timer_facts timer;
	struct warnings warnings; /* that hold for every record */
	char host[256];
	const char *label;
};

/* Reads the topology and settles strands, kernels (NULL: none) and plan; measures nothing. Wrong usage is -EINVAL. */
int session_plan(struct session *s, const struct settings *settings, const char *strands, const char *kernels,
		 struct why *why);

/* The same on the strands that the settings name, else on the first that can be used. */
int session_plan_first(struct session *s, const struct settings *settings, const char *kernels, struct why *why);

/* Tests the timer on the strands of the plan and holds the settings against it. */
int session_prepare(struct session *s, struct why *why);

void session_free(struct session *s);

#endif
