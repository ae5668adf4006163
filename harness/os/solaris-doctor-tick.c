/* Solaris, doctor: clock() and device interrupts, how to see where they go, and how to move them. psradm(1M), psrset(1M). */
#include <string.h>
#include <sys/processor.h>
#include <unistd.h>
#include "harness/os/solaris-doctor.h"
#include "harness/os/solaris-strands.h"

void doctor_tick_rate(struct findings *f, const struct topology *t)
{
	static const char subject[] = "tick rate";
	long hz = sysconf(_SC_CLK_TCK);
	(void)t;
	if (hz <= 0)
		finding_add(f, FINDING_NOTE, subject, "not known here: sysconf(_SC_CLK_TCK) does not say");
	else if (hz <= 100)
		finding_add(f, FINDING_OK, subject, "%ld Hz", hz);
	else
		doctor_explain(finding_add(f, FINDING_NOTE, subject, "%ld Hz, not 100: hires_tick is set", hz),
			       "ten times the ticks", "take 'set hires_tick=1' out of /etc/system and reboot");
}

void doctor_tick(struct findings *f, const struct topology *t)
{
	static const char subject[] = "OS tick";
	unsigned strand = 0;
	bool seen = false;
	if (solaris_clock_strand(&strand, &seen)) {
		finding_add(f, FINDING_NOTE, subject, "which strand runs clock() is not known here: no kstat tells");
		return;
	}
	const struct strand *chosen = topology_strand(t, strand);
	const char *how = seen ? "it does now, by its interrupts of level 10"
			       : "most likely: it is the first that takes interrupts";
	if (!chosen) {
		finding_add(f, FINDING_OK, subject, "clock() runs on one strand, and strand %u is not among these (%s)",
			    strand, how);
		return;
	}
	struct finding *finding = finding_add(f, FINDING_NOTE, subject,
					      "clock() runs on one strand at a time: strand %u (%s)", strand, how);
	finding_effect(
		finding,
		"a peak in every period there, slower neighbours on its core; see it, as root: echo ::cycinfo -v | mdb -k, or "
		"dtrace -n 'fbt::clock:entry{@[cpu]=count()}'");
	finding_mend(
		finding,
		"psradm -i %u moves it to the next strand that takes interrupts; or psrset -c 4-7 and psrset -f SET keep it and all "
		"interrupts off a set's strands",
		strand);
}

static bool is_without_interrupts(const struct strand *strand, const void *unused)
{
	(void)unused;
	return solaris_cpu_state(strand->id) == P_NOINTR;
}

void doctor_interrupts(struct findings *f, const struct topology *t)
{
	static const char subject[] = "device interrupts";
	char quiet[120];
	size_t without = doctor_list(t, is_without_interrupts, NULL, quiet, sizeof quiet);
	if (without && without == doctor_usable(t))
		finding_add(f, FINDING_OK, subject,
			    "none on these strands (no-intr); clock() does not run there either");
	else if (without)
		doctor_explain(finding_add(f, FINDING_NOTE, subject,
					   "none on strands %.100s (no-intr); they may go to the others", quiet),
			       "interrupts of disks and networks land on the others",
			       "psradm -i CPU ... for the strands to be quiet");
	else
		doctor_explain(
			finding_add(f, FINDING_NOTE, subject, "may go to all of these strands"),
			"interrupts of disks and networks land on measured strands",
			"psradm -i CPU ... for the strands to be quiet (psradm -n CPU ... undoes it); at least one must keep them");
}
