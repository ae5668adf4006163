/* Solaris, doctor: strands, processor sets, speed, and what else runs. */
#include <stdlib.h>
#include <string.h>
#include <sys/loadavg.h>
#include "harness/os/os.h"
#include "harness/os/solaris-doctor.h"
#include "harness/os/solaris-strands.h"

static bool in_state(const struct strand *strand, const void *state)
{
	return strand->state == *(const enum strand_state *)state;
}

void doctor_strands(struct findings *f, const struct topology *t)
{
	static const enum strand_state kinds[] = {STRAND_OFFLINE, STRAND_EXCLUDED, STRAND_MASKED, STRAND_ISOLATED};
	char list[96];
	size_t seen = 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!doctor_list_all(t, in_state, &kinds[i], list, sizeof list))
			continue;
		seen++;
		struct finding *finding =
			finding_add(f, FINDING_NOTE, "strands", "%s: %s", strand_state_name(kinds[i]), list);
		doctor_explain(finding,
			       kinds[i] == STRAND_ISOLATED ? ""
			       : kinds[i] == STRAND_MASKED ? "left out of a sweep unless named"
							   : "cannot be measured",
			       kinds[i] == STRAND_ISOLATED ? "" : strand_state_reason(kinds[i]));
	}
	if (!seen)
		finding_add(f, FINDING_OK, "strands", "all %zu can be used", t->count);
}

static bool in_any_set(const struct strand *strand, const void *unused)
{
	(void)unused;
	return solaris_set_of(strand->id) != PS_NONE;
}

void doctor_sets(struct findings *f, const struct topology *t)
{
	static const char subject[] = "processor sets";
	char list[120];
	psetid_t own = solaris_own_set();
	size_t count = doctor_list_all(t, in_any_set, NULL, list, sizeof list);
	if (own != PS_NONE)
		finding_add(f, FINDING_OK, subject,
			    "cmtnoise is in set %d: other programs are kept away from its strands", (int)own);
	else if (!count)
		finding_add(f, FINDING_OK, subject, "no strand is in one");
	else
		doctor_explain(
			finding_add(f, FINDING_NOTE, subject, "strands %.110s are in one, and cmtnoise is not", list),
			"they cannot be measured from here, and their programs run nowhere else",
			"psrset names the sets; psrset -e SET cmtnoise ... measures inside one");
}

void doctor_cores(struct findings *f, const struct topology *t)
{
	static const char subject[] = "cores";
	if (strstr(t->source, "no core_id"))
		doctor_explain(
			finding_add(f, FINDING_NOTE, subject, "not told: this release's kstat cpu_info has no core_id"),
			"each strand counts as a core of its own, so no placement is told",
			"on a T1 every four strands from 0 are a core; a later update tells");
	else
		finding_add(f, FINDING_OK, subject, "%zu, of %zu strands (%.60s)", t->core_count, t->count, t->source);
}

void doctor_speed(struct findings *f, const struct topology *t)
{
	static const char subject[] = "clock frequency";
	struct solaris_cpu *cpus;
	size_t count, slow = 0, told = 0;
	if (solaris_cpus(&cpus, &count)) {
		finding_add(f, FINDING_NOTE, subject, "not known here: no kstat tells");
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const struct strand *strand = topology_strand(t, cpus[i].id);
		if (!strand || !strand_can_run(strand->state) || !cpus[i].clock_hz || !cpus[i].clock_mhz)
			continue;
		told++;
		slow += cpus[i].clock_hz / 10000 < cpus[i].clock_mhz * 99; /* by more than 1 % */
	}
	free(cpus);
	if (!told)
		finding_add(f, FINDING_NOTE, subject,
			    "not told: this release's kstat cpu_info has no current_clock_Hz");
	else if (!slow)
		finding_add(f, FINDING_OK, subject, "every strand is at its full one");
	else
		doctor_explain(finding_add(f, FINDING_DISTURBS, subject, "%zu of %zu strands are below their full one",
					   slow, told),
			       "power management changes it while records are made: drifting baselines",
			       "cpupm disable in /etc/power.conf, then pmconfig; Solaris 11.1 and later: poweradm set "
			       "administrative-authority=none");
}

void doctor_smt(struct findings *f, const struct topology *t)
{
	static const char subject[] = "strands that share a core";
	size_t shared = 0;
	for (size_t i = 0; i < t->count; i++)
		for (size_t k = 0; k < i; k++)
			if (t->strands[k].core == t->strands[i].core && t->strands[i].core != STRAND_NOWHERE) {
				shared++;
				break;
			}
	if (!shared)
		finding_add(f, FINDING_OK, subject, "none of these");
	else
		doctor_explain(finding_add(f, FINDING_NOTE, subject, "%zu of %zu share theirs with an earlier one",
					   shared, t->count),
			       "what one does, the tick above all, takes issue slots from the others of its core",
			       "--strands first measures one strand a core");
}

void doctor_load(struct findings *f, const struct topology *t)
{
	double load[1];
	size_t strands = doctor_usable(t);
	if (getloadavg(load, 1) < 1)
		finding_add(f, FINDING_NOTE, "load", "not known here");
	else if (load[0] <= 0.5 * (double)strands)
		finding_add(f, FINDING_OK, "load", "%.2f in the last minute", load[0]);
	else
		doctor_explain(finding_add(f, FINDING_DISTURBS, "load", "%.2f in the last minute, on %zu strands",
					   load[0], strands),
			       "other programs take the strands in turn with the measurement",
			       "end them first; prstat shows which");
}
