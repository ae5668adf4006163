/* Linux: what would disturb or limit a measurement here. A check is one function in the table at the end. */
#define _GNU_SOURCE
#include "harness/os/linux-doctor.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bind/strand_list.h"
#include "domains/tick/tick.h"
#include "harness/os/linux-files.h"
#include "harness/os/os.h"

void doctor_unread(struct findings *f, const char *subject, const char *path, int error)
{
	finding_add(f, FINDING_NOTE, subject, "not known here: %s: %s", path, strerror(-error));
}

int doctor_number(const char *path, long long *value, char *text, size_t size)
{
	char *end;
	int length = linux_read(path, text, size);
	if (length < 0)
		return length;
	errno = 0;
	*value = strtoll(text, &end, 10);
	return errno || end == text || *end ? -EINVAL : 0;
}

static bool is_not_zero(const struct strand *strand, const void *unused)
{
	(void)unused;
	return strand->id != 0;
}

static void check_tick(struct findings *f, const struct topology *t)
{
	struct tick_configuration tick;
	char rate[24] = "rate not known", strands[160], mend[240] = "";
	tick_read(&tick);
	if (tick.hz)
		snprintf(rate, sizeof rate, "%u Hz", tick.hz);
	if (tick.nohz_full[0]) {
		finding_add(f, FINDING_OK, "OS tick",
			    "%s; strands %.120s may stop it while one thread runs (nohz_full)", rate, tick.nohz_full);
		return;
	}
	/* The boot strand keeps the time, so the tick cannot be stopped there. */
	if (doctor_list(t, is_not_zero, NULL, strands, sizeof strands))
		snprintf(mend, sizeof mend, "cmtnoise doctor --quiet-strands %s says what would stop it there",
			 strands);
	doctor_explain(finding_add(f, FINDING_NOTE, "OS tick",
				   "%s on every busy strand (%s); no strand is in nohz_full", rate,
				   tick.mode[0] ? tick.mode : "mode not known"),
		       "a peak in every period: what cmtnoise is here to show", mend);
}

/* x86's, and the three of SPARC (Linux arch/sparc/kernel/time_64.c), where the OS has no other. */
static bool is_counter_of_cpu(const char *clocksource)
{
	static const char *const counters[] = {"tsc", "tick", "stick", "hbtick"};
	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
		if (!strcmp(clocksource, counters[i]))
			return true;
	return false;
}

static void check_clocksource(struct findings *f, const struct topology *t)
{
	struct tick_configuration tick;
	(void)t;
	tick_read(&tick);
	if (!tick.clocksource[0])
		finding_add(f, FINDING_NOTE, "clock source", "not known here: the OS does not say");
	else if (is_counter_of_cpu(tick.clocksource))
		finding_add(f, FINDING_OK, "clock source", "%s", tick.clocksource);
	else
		doctor_explain(finding_add(f, FINDING_NOTE, "clock source", "%s, not tsc", tick.clocksource),
			       "the OS may have found the time-stamp counter unreliable; the timer's own test decides",
			       "dmesg | grep -i tsc says why; tsc=reliable overrides");
}

struct member {
	const struct topology *t;
	size_t hits; /* strands of the list that can run */
};

static int count_member(unsigned id, void *context)
{
	struct member *m = context;
	const struct strand *strand = topology_strand(m->t, id);
	m->hits += strand && strand_can_run(strand->state);
	return 0;
}

static void check_interrupts(struct findings *f, const struct topology *t)
{
	static const char file[] = "/proc/irq/default_smp_affinity";
	struct tick_configuration tick;
	struct member allowed = {.t = t};
	tick_read(&tick);
	if (!tick.irq_affinity[0]) {
		finding_add(f, FINDING_NOTE, "device interrupts", "not known here: %s does not say", file);
		return;
	}
	strand_list_parse(tick.irq_affinity, count_member, &allowed);
	if (allowed.hits < doctor_usable(t))
		finding_add(f, FINDING_OK, "device interrupts", "may go to strands %.150s alone", tick.irq_affinity);
	else
		doctor_explain(
			finding_add(f, FINDING_NOTE, "device interrupts", "may go to strands %.150s",
				    tick.irq_affinity),
			"interrupts of disks and networks land on measured strands",
			"boot with irqaffinity=0, or write a mask to /proc/irq/default_smp_affinity and /proc/irq/*/smp_affinity");
}

static bool in_state(const struct strand *strand, const void *state)
{
	return strand->state == *(const enum strand_state *)state;
}

static void check_strands(struct findings *f, const struct topology *t)
{
	static const struct {
		enum strand_state state;
		const char *effect;
	} kinds[] = {
		{STRAND_OFFLINE, "cannot be measured"},
		{STRAND_EXCLUDED, "cannot be measured"},
		{STRAND_MASKED, "left out of a sweep unless named"},
		{STRAND_ISOLATED, ""},
	};
	char list[96], mend[240];
	size_t seen = 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		enum strand_state state = kinds[i].state;
		if (!doctor_list_all(t, in_state, &state, list, sizeof list))
			continue;
		seen++;
		snprintf(mend, sizeof mend, "%s", state == STRAND_ISOLATED ? "" : strand_state_reason(state));
		if (state == STRAND_OFFLINE)
			snprintf(mend, sizeof mend, "chcpu -e %s", list);
		doctor_explain(finding_add(f, FINDING_NOTE, "strands", "%s: %s", strand_state_name(state), list),
			       kinds[i].effect, mend);
	}
	if (!seen)
		finding_add(f, FINDING_OK, "strands", "all %zu can be used", t->count);
}

int os_doctor(struct findings *findings, const struct topology *t)
{
	static void (*const checks[])(struct findings *, const struct topology *) = {
		doctor_timer,       check_clocksource, check_strands,   doctor_quota,      doctor_realtime,
		doctor_locking,     doctor_hypervisor, doctor_steal,    doctor_governor,   doctor_turbo,
		doctor_idle_states, doctor_smt,        doctor_settings, doctor_huge_pages, check_tick,
		check_interrupts,   doctor_irqbalance, doctor_load,     doctor_tuned,      doctor_causes,
	};
	return doctor_run(checks, sizeof checks / sizeof *checks, findings, t);
}
