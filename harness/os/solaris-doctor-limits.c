/* Solaris, doctor: what this program is allowed. */
#include <string.h>
#include <unistd.h>
#include <zone.h>
#include "harness/os/os.h"
#include "harness/os/solaris-doctor.h"
#include "harness/why.h"

struct attempt {
	int error;
	const char *name;
	struct why why;
};

static void try_realtime(void *argument)
{
	struct attempt *attempt = argument;
	attempt->error = os_realtime(&attempt->name, &attempt->why);
}

/* On a thread of its own, which ends with its class. */
static int attempt_on(struct attempt *attempt, const struct topology *t)
{
	struct os_thread *thread;
	size_t i = 0;
	while (i < t->count && !strand_can_run(t->strands[i].state))
		i++;
	int error = i < t->count ? os_start(&thread, t->strands[i].id, try_realtime, attempt) : -1;
	return error ? error : os_join(thread);
}

void doctor_realtime(struct findings *f, const struct topology *t)
{
	static const char subject[] = "right to --realtime";
	struct attempt attempt;
	memset(&attempt, 0, sizeof attempt);
	if (attempt_on(&attempt, t))
		finding_add(f, FINDING_NOTE, subject, "not known here: no thread can be started to try it");
	else if (attempt.error)
		doctor_explain(
			finding_add(f, FINDING_NOTE, subject, "no: %.180s", attempt.why.text),
			"--realtime falls back to ordinary scheduling, with a warning",
			"run as root, or as root: usermod -K defaultpriv=basic,proc_priocntl,proc_lock_memory USER");
	else if (attempt.why.text[0])
		doctor_explain(finding_add(f, FINDING_NOTE, subject, "in part (tried): %s", attempt.name),
			       attempt.why.text, "run in the global zone");
	else
		finding_add(f, FINDING_OK, subject, "yes (tried): %s", attempt.name);
}

void doctor_locking(struct findings *f, const struct topology *t)
{
	static const char subject[] = "right to lock memory";
	enum { TRIED_BYTES = 8 << 20 };
	bool locked = false;
	void *memory = os_alloc(TRIED_BYTES, &locked);
	(void)t;
	if (memory)
		os_free(memory, TRIED_BYTES);
	if (locked)
		finding_add(f, FINDING_OK, subject, "yes (8 MB tried)");
	else
		doctor_explain(finding_add(f, FINDING_NOTE, subject, "no"),
			       "buffers stay unlocked and may be paged out, with a warning", os_words.unlocked);
}

void doctor_zone(struct findings *f, const struct topology *t)
{
	(void)t;
	if (getzoneid() == GLOBAL_ZONEID)
		finding_add(f, FINDING_OK, "zone", "the global one");
	else
		doctor_explain(
			finding_add(f, FINDING_NOTE, "zone", "not the global one"),
			"what other zones do is not seen here; psradm, psrset, mdb -k and dtrace belong to the global zone",
			"measure in the global zone");
}

void doctor_causes(struct findings *f, const struct topology *t)
{
	(void)t;
	doctor_explain(finding_add(f, FINDING_NOTE, "causes of peaks", "%s", os_words.untraced),
		       "no peak gets a cause: only the counters before and after each record tell", "");
}
