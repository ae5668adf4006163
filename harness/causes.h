/* The source that tells what disturbed a record: events that were traced meanwhile, or only the counters before and after. */
#ifndef CMTNOISE_CAUSES_H
#define CMTNOISE_CAUSES_H

#include <stdbool.h>
#include "bind/plan.h"
#include "harness/json.h"
#include "harness/options.h"
#include "harness/record.h"
#include "harness/tracer.h"

struct causes {
	bool traced; /* as the sweep began */
	struct tracer tracer;
	bool tracing;     /* the records under way are traced */
	char reason[640]; /* why the better source was not, or is no longer, used; "" */
	char *strands;    /* a list of those measured now */
	uint64_t expected_ns;
};

/* Whether --causes names a source: 0 or -EINVAL. */
int causes_check(const struct settings *settings, struct why *why);

/* Chooses the source; fails only where --causes trace cannot be had. */
int causes_begin(struct causes *c, const struct settings *settings, struct why *why);

/* For records that are measured at once: causes_expect() says on which strands, causes_start(), a job's `begin`, starts
 * tracing, causes_stop() ends it. Where tracing fails, measuring goes on: the reason is set, and what is left to do is nothing. */
int causes_expect(struct causes *c, const struct plan_step *steps, size_t count, struct why *why);
void causes_start(void *causes);
void causes_stop(struct causes *c);

/* Writes the event file of a record, where it was traced. Fails only where the file cannot be written. */
int causes_write(struct causes *c, const char *path, const struct record *r, uint64_t thread, struct why *why);

/* The member of run.json. */
void causes_json(struct json *j, const struct causes *c);

/* Waits until nothing of the tracing is left. */
void causes_end(struct causes *c);

#endif
