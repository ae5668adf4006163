/* What the doctors of all operating systems share. */
#ifndef CMTNOISE_DOCTOR_H
#define CMTNOISE_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include "bind/topology.h"
#include "harness/findings.h"

/* Runs an OS's checks in their order; 0, or -ENOMEM where one could not add what it found. */
int doctor_run(void (*const checks[])(struct findings *, const struct topology *), size_t count,
	       struct findings *findings, const struct topology *t);

/* Effect and mend of a finding just added; does nothing for NULL. */
void doctor_explain(struct finding *f, const char *effect, const char *mend);

/* Strands that can run and for which test(strand, argument) is true, as a list; the count is the result. */
size_t doctor_list(const struct topology *t, bool (*test)(const struct strand *, const void *), const void *argument,
		   char *list, size_t size);
/* The same of all strands, those that cannot run as well. */
size_t doctor_list_all(const struct topology *t, bool (*test)(const struct strand *, const void *),
		       const void *argument, char *list, size_t size);
size_t doctor_usable(const struct topology *t); /* how many strands can run */

/* Checks: the counter, and the hypervisor, by what the instruction set tells. */
void doctor_timer(struct findings *f, const struct topology *t);
void doctor_hypervisor(struct findings *f, const struct topology *t);

#endif
