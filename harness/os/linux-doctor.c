/* Linux: what would disturb or limit a measurement here. A check is one function in the table at the end. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "asm/isa.h"
#include "bind/strand_list.h"
#include "bind/topology.h"
#include "domains/tick/tick.h"
#include "harness/findings.h"
#include "harness/os/linux-files.h"
#include "harness/os/os.h"

static void explain(struct finding *f, const char *effect, const char *mend)
{
	if (!f)
		return;
	snprintf(f->effect, sizeof f->effect, "%s", effect);
	snprintf(f->mend, sizeof f->mend, "%s", mend);
}

static void unread(struct findings *f, const char *subject, const char *path)
{
	finding_add(f, FINDING_NOTE, subject, "not known here: %s cannot be read", path);
}

/* Setting that is a number in a file: fine at `good`, else explained. */
struct number_check {
	const char *subject, *path;
	long long good;
	const char *fine, *otherwise, *effect, *mend;
	enum finding_level level;
	bool absent_is_fine;
};

static void check_number(struct findings *f, const struct number_check *c)
{
	char text[64], *end;
	if (linux_read(c->path, text, sizeof text) < 0) {
		if (c->absent_is_fine)
			finding_add(f, FINDING_OK, c->subject, "%s (the OS has no such setting)", c->fine);
		else
			unread(f, c->subject, c->path);
		return;
	}
	long long value = strtoll(text, &end, 10);
	if (end == text || *end)
		finding_add(f, FINDING_NOTE, c->subject, "not understood: %s says '%.40s'", c->path, text);
	else if (value == c->good)
		finding_add(f, FINDING_OK, c->subject, "%s", c->fine);
	else
		explain(finding_add(f, c->level, c->subject, "%s (%s is %lld)", c->otherwise, c->path, value),
			c->effect, c->mend);
}

static const struct number_check number_checks[] = {
	{"SMT", "/sys/devices/system/cpu/smt/active", 0, "off: one strand a core",
	 "on: the strands of a core share its pipeline and caches",
	 "work on one strand slows the others of its core; that is a thing to measure, or to keep out",
	 "to keep it out: --strands first, or echo off > /sys/devices/system/cpu/smt/control", FINDING_NOTE, true},
	{"turbo", "/sys/devices/system/cpu/cpufreq/boost", 0, "off", "on: the clock depends on load and temperature",
	 "the baseline moves when other strands get busy or idle", "echo 0 > /sys/devices/system/cpu/cpufreq/boost",
	 FINDING_DISTURBS, true},
	{"turbo (intel_pstate)", "/sys/devices/system/cpu/intel_pstate/no_turbo", 1, "off",
	 "on: the clock depends on load and temperature", "the baseline moves when other strands get busy or idle",
	 "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo", FINDING_DISTURBS, true},
	{"NMI watchdog", "/proc/sys/kernel/nmi_watchdog", 0, "off", "on: a performance counter interrupts every strand",
	 "about one interrupt a strand every ten seconds", "sysctl -w kernel.nmi_watchdog=0", FINDING_DISTURBS, true},
	{"RT throttling", "/proc/sys/kernel/sched_rt_runtime_us", -1, "off",
	 "on: real-time threads are stopped for a while each second",
	 "with --realtime a record can show one gap of tens of milliseconds each second",
	 "sysctl -w kernel.sched_rt_runtime_us=-1", FINDING_NOTE, true},
	{"NUMA balancing", "/proc/sys/kernel/numa_balancing", 0, "off", "on: pages are unmapped to see who uses them",
	 "page faults in records of the memory kernels", "sysctl -w kernel.numa_balancing=0", FINDING_DISTURBS, true},
	{"timer migration", "/proc/sys/kernel/timer_migration", 1, "on: timers of idle strands move to busy ones",
	 "off", "timers armed on a strand stay there", "sysctl -w kernel.timer_migration=1", FINDING_NOTE, true},
	{"same-page merging", "/sys/kernel/mm/ksm/run", 0, "off", "on: a thread scans and merges memory",
	 "bursts of a kernel thread, and page faults", "echo 0 > /sys/kernel/mm/ksm/run", FINDING_DISTURBS, true},
};

static void check_numbers(struct findings *f, const struct topology *t)
{
	(void)t;
	for (size_t i = 0; i < sizeof number_checks / sizeof *number_checks; i++)
		check_number(f, &number_checks[i]);
}

/* Ids of the strands for which test(strand, argument) is true, as a list; the count is the result. */
static size_t list_where(const struct topology *t, bool (*test)(const struct strand *, const void *),
			 const void *argument, char *list, size_t size)
{
	unsigned *ids = calloc(t->count + 1, sizeof *ids);
	size_t count = 0;
	list[0] = 0;
	for (size_t i = 0; ids && i < t->count; i++)
		if (test(&t->strands[i], argument))
			ids[count++] = t->strands[i].id;
	if (ids)
		strand_list_format(list, size, ids, count);
	free(ids);
	return count;
}

static void check_hypervisor(struct findings *f, const struct topology *t)
{
	char name[32];
	(void)t;
	isa_hypervisor(name, sizeof name);
	if (!name[0]) {
		finding_add(f, FINDING_OK, "hypervisor", "none that the CPU tells of");
		return;
	}
	explain(finding_add(f, FINDING_NOTE, "hypervisor", "%s", name),
		"figures are labelled virtualised: the hypervisor takes strands away unseen, and its own tick shows too",
		"measure on the machine itself, or dedicate and pin its CPUs to this guest");
}

static void check_steal(struct findings *f, const struct topology *t)
{
	uint64_t values[COUNTER_COUNT], most = 0;
	unsigned where = 0;
	for (size_t i = 0; i < t->count; i++) {
		if (!strand_can_run(t->strands[i].state))
			continue;
		os_counters(t->strands[i].id, values);
		if (values[COUNTER_STEAL_MS] != COUNTER_UNKNOWN && values[COUNTER_STEAL_MS] > most) {
			most = values[COUNTER_STEAL_MS];
			where = t->strands[i].id;
		}
	}
	if (!most)
		finding_add(f, FINDING_OK, "steal", "no time was stolen from these strands since the start of the OS");
	else
		explain(finding_add(f, FINDING_DISTURBS, "steal", "up to %llu ms since the start of the OS (strand %u)",
				    (unsigned long long)most, where),
			"the hypervisor ran something else meanwhile: gaps that nothing inside this guest explains",
			"ask the host for dedicated CPUs");
}

static bool not_performance(const struct strand *strand, const void *unused)
{
	char path[128], governor[32];
	(void)unused;
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", strand->id);
	return strand_can_run(strand->state) && linux_read(path, governor, sizeof governor) > 0 &&
	       strcmp(governor, "performance");
}

static void check_governor(struct findings *f, const struct topology *t)
{
	char list[96], governor[32];
	if (linux_read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor, sizeof governor) < 0)
		finding_add(f, FINDING_NOTE, "frequency governor",
			    "this OS does not govern the frequency (or a hypervisor hides it)");
	else if (!list_where(t, not_performance, NULL, list, sizeof list))
		finding_add(f, FINDING_OK, "frequency governor", "performance");
	else
		explain(finding_add(f, FINDING_DISTURBS, "frequency governor", "not performance on strands %s", list),
			"the clock changes while a record is made: the baseline drifts",
			"cpupower frequency-set -g performance");
}

static void check_idle_states(struct findings *f, const struct topology *t)
{
	char driver[64];
	(void)t;
	if (linux_read("/sys/devices/system/cpu/cpuidle/current_driver", driver, sizeof driver) <= 0 ||
	    !strcmp(driver, "none"))
		finding_add(f, FINDING_OK, "idle states", "no idle driver: idle strands do not sleep deeply");
	else
		explain(finding_add(f, FINDING_NOTE, "idle states", "driver %s", driver),
			"idle strands sleep and wake: the first repetitions may be slow, and turbo headroom changes",
			"cpupower idle-set -D 0, or hold /dev/cpu_dma_latency at 0");
}

static void check_tick(struct findings *f, const struct topology *t)
{
	struct tick_configuration tick;
	char strands[24], mend[240] = "";
	tick_read(&tick);
	if (tick.nohz_full[0]) {
		finding_add(f, FINDING_OK, "OS tick", "%u Hz; strands %s may stop it while one thread runs (nohz_full)",
			    tick.hz, tick.nohz_full);
		return;
	}
	/* The first strand keeps the housekeeping; with a single one there is nowhere to move it. */
	snprintf(strands, sizeof strands, t->count > 2 ? "1-%zu" : "1", t->count - 1);
	if (t->count > 1)
		snprintf(
			mend, sizeof mend,
			"to stop it, boot with: nohz_full=%s isolcpus=managed_irq,domain,%s rcu_nocbs=%s irqaffinity=0",
			strands, strands, strands);
	explain(finding_add(f, FINDING_NOTE, "OS tick", "%u Hz on every busy strand (%s); no strand is in nohz_full",
			    tick.hz, tick.mode[0] ? tick.mode : "mode not known"),
		"a peak in every period: what cmtnoise is here to show", mend);
}

static void check_clocksource(struct findings *f, const struct topology *t)
{
	struct tick_configuration tick;
	(void)t;
	tick_read(&tick);
	if (!strcmp(tick.clocksource, "tsc") || !tick.clocksource[0])
		finding_add(f, FINDING_OK, "clock source", "%s", tick.clocksource[0] ? tick.clocksource : "not told");
	else
		explain(finding_add(f, FINDING_NOTE, "clock source", "%s, not tsc", tick.clocksource),
			"the OS may have found the time-stamp counter unreliable; the timer's own test decides",
			"dmesg | grep -i tsc says why; tsc=reliable overrides");
}

static void check_timer(struct findings *f, const struct topology *t)
{
	const char *variance = isa_timer_variance();
	(void)t;
	if (!variance)
		finding_add(f, FINDING_OK, "timer", "%s, invariant", isa_timer_name);
	else
		explain(finding_add(f, FINDING_PREVENTS, "timer", "%.190s", variance), "times could be wrong",
			"--accept-timer measures all the same, and says so in every record");
}

static void check_rights(struct findings *f, const struct topology *t)
{
	struct rlimit limit;
	bool root = geteuid() == 0;
	(void)t;
	getrlimit(RLIMIT_RTPRIO, &limit);
	if (root || limit.rlim_cur >= 80)
		finding_add(f, FINDING_OK, "right to --realtime", "%s", root ? "root" : "by ulimit -r");
	else
		explain(finding_add(f, FINDING_NOTE, "right to --realtime", "no (ulimit -r is %llu)",
				    (unsigned long long)limit.rlim_cur),
			"--realtime falls back to ordinary scheduling, with a warning",
			"sudo setcap cap_sys_nice,cap_ipc_lock+ep PROGRAM");
	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (root || limit.rlim_cur >= 8 << 20)
		finding_add(f, FINDING_OK, "right to lock memory", "%s", root ? "root" : "by ulimit -l");
	else
		explain(finding_add(f, FINDING_NOTE, "right to lock memory", "%llu KB (ulimit -l)",
				    (unsigned long long)limit.rlim_cur >> 10),
			"larger buffers stay unlocked and may be paged out, with a warning",
			"ulimit -l unlimited, or run as root");
}

static bool process_runs(const char *name)
{
	DIR *folder = opendir(linux_path("/proc"));
	struct dirent *entry;
	bool found = false;
	while (folder && !found && (entry = readdir(folder))) {
		char path[300], command[32];
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof path, "/proc/%s/comm", entry->d_name);
		found = linux_read(path, command, sizeof command) > 0 && !strcmp(command, name);
	}
	if (folder)
		closedir(folder);
	return found;
}

static void check_irqbalance(struct findings *f, const struct topology *t)
{
	(void)t;
	if (!process_runs("irqbalance"))
		finding_add(f, FINDING_OK, "irqbalance", "not running");
	else
		explain(finding_add(f, FINDING_DISTURBS, "irqbalance", "running"),
			"device interrupts move between strands while records are made", "systemctl stop irqbalance");
}

static void check_interrupts(struct findings *f, const struct topology *t)
{
	struct tick_configuration tick;
	(void)t;
	tick_read(&tick);
	if (!tick.irq_affinity[0])
		unread(f, "device interrupts", "/proc/irq/default_smp_affinity");
	else
		explain(finding_add(f, FINDING_NOTE, "device interrupts", "may go to strands %s", tick.irq_affinity),
			"interrupts of disks and networks land on measured strands",
			"boot with irqaffinity=0, or write a mask to /proc/irq/default_smp_affinity and /proc/irq/*/smp_affinity");
}

static void check_load(struct findings *f, const struct topology *t)
{
	char text[128];
	if (linux_read("/proc/loadavg", text, sizeof text) < 0) {
		unread(f, "load", "/proc/loadavg");
		return;
	}
	double load = strtod(text, NULL);
	if (load <= 0.5 * (double)t->count)
		finding_add(f, FINDING_OK, "load", "%.2f in the last minute", load);
	else
		explain(finding_add(f, FINDING_DISTURBS, "load", "%.2f in the last minute, on %zu strands", load,
				    t->count),
			"other programs take the strands in turn with the measurement",
			"end them first; top shows which");
}

static void check_quota(struct findings *f, const struct topology *t)
{
	char line[512], path[600], quota[64];
	(void)t;
	/* cgroup v2: one line, "0::/path". */
	if (linux_read("/proc/self/cgroup", line, sizeof line) < 0 || strncmp(line, "0::", 3)) {
		finding_add(f, FINDING_NOTE, "CPU quota", "not known: no cgroup v2 here");
		return;
	}
	line[strcspn(line, "\n")] = 0;
	snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", line + 3);
	if (linux_read(path, quota, sizeof quota) < 0 || !strncmp(quota, "max", 3))
		finding_add(f, FINDING_OK, "CPU quota", "none");
	else
		explain(finding_add(f, FINDING_PREVENTS, "CPU quota", "cpu.max of this cgroup is %.40s", quota),
			"the OS stops the program whenever the quota is used up: long gaps in every record",
			"run outside the container's limit, or echo max > cpu.max");
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
	char list[96];
	size_t seen = 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!list_where(t, in_state, &kinds[i].state, list, sizeof list))
			continue;
		seen++;
		explain(finding_add(f, FINDING_NOTE, "strands", "%s %s", strand_state_name(kinds[i].state), list),
			kinds[i].effect, kinds[i].state == STRAND_ISOLATED ? "" : strand_state_reason(kinds[i].state));
	}
	if (!seen)
		finding_add(f, FINDING_OK, "strands", "all %zu can be used", t->count);
}

static void check_tuned(struct findings *f, const struct topology *t)
{
	char profile[64];
	(void)t;
	if (linux_read("/etc/tuned/active_profile", profile, sizeof profile) > 0)
		finding_add(f, FINDING_NOTE, "tuned", "profile %s is active: it sets some of what stands here",
			    profile);
}

int os_doctor(struct findings *findings, const struct topology *t)
{
	static void (*const checks[])(struct findings *, const struct topology *) = {
		check_timer,      check_clocksource, check_strands,    check_quota,       check_rights,
		check_hypervisor, check_steal,       check_governor,   check_idle_states, check_numbers,
		check_tick,       check_irqbalance,  check_interrupts, check_load,        check_tuned,
	};
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		checks[i](findings, t);
	return 0;
}
