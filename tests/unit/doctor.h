/* What the doctor is expected to find on a host made of files. */
#ifndef CMTNOISE_TEST_DOCTOR_H
#define CMTNOISE_TEST_DOCTOR_H

#include "tests/unit/linux_host.h"
#include "bind/topology.h"
#include "harness/findings.h"
#include "harness/os/os.h"

/* Four strands on a core each, and one offline. */
static struct strand strands[] = {{0, 0, 0, STRAND_USABLE},
				  {1, 1, 0, STRAND_USABLE},
				  {2, 2, 0, STRAND_USABLE},
				  {3, 3, 0, STRAND_USABLE},
				  {5, STRAND_NOWHERE, STRAND_NOWHERE, STRAND_OFFLINE}};
static const struct topology machine = {.strands = strands, .count = 5, .core_count = 4, .package_count = 1};

static inline const struct finding *find(const struct findings *f, const char *subject)
{
	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->items[i].subject, subject))
			return &f->items[i];
	fail_msg("nothing was found on '%s'", subject);
	return NULL;
}

static inline void expect_on(const struct topology *t, const char *subject, enum finding_level level, const char *found,
			     const char *mend)
{
	struct findings findings = {0};
	assert_int_equal(os_doctor(&findings, t), 0);
	const struct finding *f = find(&findings, subject);
	if (f->level != level || !strstr(f->found, found) || strcmp(f->mend, mend))
		fail_msg("%s: level %d, '%s', mend '%s'", subject, f->level, f->found, f->mend);
	assert_true(level < FINDING_DISTURBS || *f->effect);
	findings_free(&findings);
}

/* found is a part of the sentence, mend the whole of it. */
static inline void expect(const char *subject, enum finding_level level, const char *found, const char *mend)
{
	expect_on(&machine, subject, level, found, mend);
}

#endif
