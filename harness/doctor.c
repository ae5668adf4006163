#include "harness/doctor.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "asm/isa.h"
#include "bind/strand_list.h"
#include "harness/provenance.h"

int doctor_run(void (*const checks[])(struct findings *, const struct topology *), size_t count,
	       struct findings *findings, const struct topology *t)
{
	for (size_t i = 0; i < count; i++) {
		size_t before = findings->count;
		checks[i](findings, t);
		if (findings->count == before) /* a check always finds something, unless memory is out */
			return -ENOMEM;
	}
	return 0;
}

void doctor_explain(struct finding *f, const char *effect, const char *mend)
{
	if (!f)
		return;
	snprintf(f->effect, sizeof f->effect, "%s", effect);
	snprintf(f->mend, sizeof f->mend, "%s", mend);
}

size_t doctor_list_all(const struct topology *t, bool (*test)(const struct strand *, const void *),
		       const void *argument, char *list, size_t size)
{
	unsigned *ids = malloc((t->count + 1) * sizeof *ids);
	size_t count = 0, listed = 0;
	for (size_t i = 0; i < t->count; i++)
		if (test(&t->strands[i], argument)) {
			count++;
			if (ids)
				ids[listed++] = t->strands[i].id;
		}
	if (ids)
		strand_list_format(list, size, ids, listed);
	else
		snprintf(list, size, "...");
	free(ids);
	return count;
}

struct usable_and {
	bool (*test)(const struct strand *, const void *);
	const void *argument;
};

static bool is_usable_and(const struct strand *strand, const void *context)
{
	const struct usable_and *and = context;
	return strand_can_run(strand->state) && and->test(strand, and->argument);
}

size_t doctor_list(const struct topology *t, bool (*test)(const struct strand *, const void *), const void *argument,
		   char *list, size_t size)
{
	return doctor_list_all(t, is_usable_and, &(struct usable_and){test, argument}, list, size);
}

size_t doctor_usable(const struct topology *t)
{
	size_t count = 0;
	for (size_t i = 0; i < t->count; i++)
		count += strand_can_run(t->strands[i].state);
	return count;
}

void doctor_hypervisor(struct findings *f, const struct topology *t)
{
	char name[32];
	(void)t;
	isa_hypervisor(name, sizeof name);
	if (!name[0]) {
		finding_add(f, FINDING_OK, "hypervisor", "none that the CPU tells of");
		return;
	}
	struct finding *finding = finding_add(f, FINDING_NOTE, "hypervisor", "%s", name);
	if (!strcmp(provenance_here(), "emulated"))
		doctor_explain(finding, "figures are labelled emulated: times are the emulator's, not a CPU's",
			       "measure on a machine of this kind");
	else if (!strcmp(name, "sun4v")) /* there is no machine without it */
		doctor_explain(
			finding,
			"figures are labelled virtualised: strands are this domain's own, but other domains share the chip, and "
			"what the hypervisor does is not seen",
			"give each domain whole cores (docs/ldom.md), and leave the others idle meanwhile");
	else
		doctor_explain(
			finding,
			"figures are labelled virtualised: the hypervisor takes strands away unseen, and its own "
			"tick shows too",
			"measure on the machine itself, or dedicate and pin its CPUs to this guest");
}

void doctor_timer(struct findings *f, const struct topology *t)
{
	const char *variance = isa_timer_variance();
	(void)t;
	if (!variance)
		finding_add(f, FINDING_OK, "timer", "%s, invariant", isa_timer_name);
	else
		doctor_explain(finding_add(f, FINDING_PREVENTS, "timer", "%.190s", variance), "times could be wrong",
			       "--accept-timer measures all the same, and says so in every record");
}
