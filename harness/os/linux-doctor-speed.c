/* Linux, doctor: what changes the strands' speed. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "harness/os/linux-doctor.h"
#include "harness/os/linux-files.h"

enum { NAME_SIZE = 32 };

static int governor_of(const struct strand *strand, char name[NAME_SIZE])
{
	char path[128];
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", strand->id);
	return linux_read(path, name, NAME_SIZE);
}

static bool is_governed(const struct strand *strand, const void *unused)
{
	char name[NAME_SIZE];
	(void)unused;
	return governor_of(strand, name) > 0;
}

static bool is_not_performance(const struct strand *strand, const void *unused)
{
	char name[NAME_SIZE];
	(void)unused;
	return governor_of(strand, name) > 0 && strcmp(name, "performance");
}

static bool has_governor(const struct strand *strand, const void *wanted)
{
	char name[NAME_SIZE];
	return governor_of(strand, name) > 0 && !strcmp(name, wanted);
}

/* The governor that the first of the strands without `performance` has. */
static void first_other(const struct topology *t, char name[NAME_SIZE])
{
	for (size_t i = 0; i < t->count; i++)
		if (strand_can_run(t->strands[i].state) && is_not_performance(&t->strands[i], NULL)) {
			governor_of(&t->strands[i], name);
			return;
		}
}

void doctor_governor(struct findings *f, const struct topology *t)
{
	static const char subject[] = "frequency governor";
	char list[96], same[96], name[NAME_SIZE] = "";
	if (!doctor_list(t, is_governed, NULL, list, sizeof list)) {
		finding_add(f, FINDING_NOTE, subject,
			    "not known here: this OS does not govern the frequency, or a hypervisor does");
		return;
	}
	size_t others = doctor_list(t, is_not_performance, NULL, list, sizeof list);
	if (!others) {
		finding_add(f, FINDING_OK, subject, "performance");
		return;
	}
	first_other(t, name);
	if (doctor_list(t, has_governor, name, same, sizeof same) != others)
		snprintf(name, sizeof name, "not performance");
	doctor_explain(finding_add(f, FINDING_DISTURBS, subject, "%s on strands %s", name, list),
		       "the clock changes while a record is made: the baseline drifts",
		       "cpupower frequency-set -g performance");
}

/* Only one of the files exists, by the driver; and none where a hypervisor sets the clock. */
void doctor_turbo(struct findings *f, const struct topology *t)
{
	static const struct {
		const char *path, *mend;
		long long off;
	} drivers[] = {
		{"/sys/devices/system/cpu/intel_pstate/no_turbo",
		 "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo", 1},
		{"/sys/devices/system/cpu/cpufreq/boost", "echo 0 > /sys/devices/system/cpu/cpufreq/boost", 0},
	};
	char text[64];
	long long value;
	(void)t;
	for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
		int error = doctor_number(drivers[i].path, &value, text, sizeof text);
		if (error && error != -EINVAL)
			continue;
		if (error)
			finding_add(f, FINDING_NOTE, "turbo", "not understood: %s says '%.40s'", drivers[i].path, text);
		else if (value == drivers[i].off)
			finding_add(f, FINDING_OK, "turbo", "off");
		else
			doctor_explain(finding_add(f, FINDING_DISTURBS, "turbo",
						   "on: the clock depends on load and temperature (%s is %lld)",
						   drivers[i].path, value),
				       "the baseline moves when other strands get busy or idle", drivers[i].mend);
		return;
	}
	finding_add(f, FINDING_NOTE, "turbo", "not known here: this OS does not set it, or a hypervisor does");
}

/* The enabled state of strand `id` that takes longest to leave; its latency in µs, -1 for none. */
static long long deepest_state(unsigned id, char name[NAME_SIZE])
{
	long long deepest_us = -1;
	for (unsigned state = 0; state < 32; state++) {
		char folder[96], path[128], text[NAME_SIZE];
		long long latency_us, disabled = 0;
		snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%u/cpuidle/state%u", id, state);
		snprintf(path, sizeof path, "%s/latency", folder);
		if (doctor_number(path, &latency_us, text, sizeof text))
			break;
		snprintf(path, sizeof path, "%s/disable", folder);
		if ((!doctor_number(path, &disabled, text, sizeof text) && disabled) || latency_us <= deepest_us)
			continue;
		snprintf(path, sizeof path, "%s/name", folder);
		linux_read(path, name, NAME_SIZE);
		deepest_us = latency_us;
	}
	return deepest_us;
}

static const struct strand *first_usable(const struct topology *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (strand_can_run(t->strands[i].state))
			return &t->strands[i];
	return NULL;
}

void doctor_idle_states(struct findings *f, const struct topology *t)
{
	static const char subject[] = "idle states", path[] = "/sys/devices/system/cpu/cpuidle/current_driver";
	enum { SHALLOW_US = 2 }; /* as long as a plain halt takes */
	char driver[NAME_SIZE], state[NAME_SIZE] = "", depth[96] = "";
	const struct strand *strand = first_usable(t);
	int length = linux_read(path, driver, sizeof driver);
	if (length < 0 && length != -ENOENT) {
		doctor_unread(f, subject, path, length);
		return;
	}
	long long deepest_us = strand ? deepest_state(strand->id, state) : -1;
	if (length <= 0 || !strcmp(driver, "none")) {
		finding_add(f, FINDING_OK, subject, "no idle driver: idle strands halt and no more");
		return;
	}
	if (deepest_us >= 0)
		snprintf(depth, sizeof depth, "; the deepest in use, %s, takes %lld us to leave", state, deepest_us);
	if (deepest_us >= 0 && deepest_us <= SHALLOW_US)
		finding_add(f, FINDING_OK, subject, "driver %s%s", driver, depth);
	else
		doctor_explain(
			finding_add(f, FINDING_NOTE, subject, "driver %s%s", driver, depth),
			"idle strands sleep and wake: the first repetitions may be slow, and turbo headroom changes",
			"cpupower idle-set -D 1, or hold /dev/cpu_dma_latency open with 0 written to it");
}

/* Where the OS has no file for it: whether any two of the strands share a core. */
static bool shares_core(const struct strand *strand, const void *topology)
{
	const struct topology *t = topology;
	for (size_t i = 0; i < t->count; i++)
		if (&t->strands[i] != strand && t->strands[i].core == strand->core &&
		    strand_can_run(t->strands[i].state))
			return true;
	return false;
}

void doctor_smt(struct findings *f, const struct topology *t)
{
	static const char path[] = "/sys/devices/system/cpu/smt/active";
	char text[64], list[96];
	long long active = 0;
	int error = doctor_number(path, &active, text, sizeof text);
	if (error == -EINVAL) {
		finding_add(f, FINDING_NOTE, "SMT", "not understood: %s says '%.40s'", path, text);
		return;
	}
	if (error)
		active = doctor_list(t, shares_core, t, list, sizeof list) > 0;
	if (!active)
		finding_add(f, FINDING_OK, "SMT", "off: one strand a core");
	else
		doctor_explain(
			finding_add(f, FINDING_NOTE, "SMT", "on: the strands of a core share its pipeline and caches"),
			"work on one strand slows the others of its core; that is a thing to measure, or to keep out",
			error ? "to keep it out: --strands first"
			      : "to keep it out: --strands first, or echo off > /sys/devices/system/cpu/smt/control");
}
