/* Linux: the tick configuration, from what any user may read. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "domains/tick/linux-tick.h"
#include "harness/os/linux-files.h"

/* The coarse clocks advance once a tick: their resolution is the tick's period (Linux: TICK_NSEC). */
static unsigned tick_hz(void)
{
	struct timespec period;
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &period) || period.tv_sec || !period.tv_nsec)
		return 0;
	return (unsigned)((1000000000 + period.tv_nsec / 2) / period.tv_nsec);
}

/* As the OS reads it: "off", or a word that begins as "no", "false" or "0". */
static bool is_off(const char *value)
{
	return !strcmp(value, "off") || (*value && strchr("nNfF0", *value));
}

static void read_mode(struct tick_configuration *tick, const struct tick_os_config *c)
{
	char nohz[16] = "", list[16];
	bool off = tick_boot_parameter("nohz", nohz, sizeof nohz) && is_off(nohz);
	const char *mode = "";
	if (tick->nohz_full[0])
		mode = "nohz-full"; /* only there if it is in force */
	else if (off || c->periodic)
		mode = "periodic";
	else if (c->nohz || linux_read("/sys/devices/system/cpu/nohz_full", list, sizeof list) >= 0)
		mode = "nohz-idle"; /* NO_HZ_FULL, which has that file, behaves as NO_HZ_IDLE without strands named */
	snprintf(tick->mode, sizeof tick->mode, "%s", mode);
}

/* clock_getres(2): 1 ns with high-resolution timers in force, else the tick's period. Anything else is no Linux that is known. */
static enum tick_fact high_resolution(unsigned hz)
{
	struct timespec step;
	if (clock_getres(CLOCK_MONOTONIC, &step) || step.tv_sec || !step.tv_nsec)
		return TICK_UNKNOWN;
	if (step.tv_nsec == 1)
		return TICK_YES;
	return hz && step.tv_nsec > 500000000 / (long)hz ? TICK_NO : TICK_UNKNOWN;
}

static enum tick_fact fact(bool is)
{
	return is ? TICK_YES : TICK_NO;
}

/* Always so under RT; else only where asked for, and where the OS kernel can (IRQ_FORCED_THREADING; x86 always can). */
static enum tick_fact forced_threads(const struct tick_configuration *tick, const struct tick_os_config *c)
{
	char text[TICK_LINE_SIZE];
	if (!strcmp(tick->preemption, "rt"))
		return TICK_YES;
	if (linux_read("/proc/cmdline", text, sizeof text) < 0)
		return TICK_UNKNOWN;
	return fact(tick_boot_parameter("threadirqs", text, sizeof text) && (!c->found || c->forced_threading));
}

/* A number in C's notation, as the OS reads it; what is none leaves the default, off. */
static enum tick_fact skewed(void)
{
	char text[TICK_LINE_SIZE];
	if (linux_read("/proc/cmdline", text, sizeof text) < 0)
		return TICK_UNKNOWN;
	return fact(tick_boot_parameter("skew_tick", text, sizeof text) && strtol(text, NULL, 0));
}

static enum tick_fact timer_migration(void)
{
	char text[16];
	if (linux_read("/proc/sys/kernel/timer_migration", text, sizeof text) < 0)
		return TICK_UNKNOWN;
	return !strcmp(text, "0") || !strcmp(text, "1") ? fact(*text == '1') : TICK_UNKNOWN;
}

static void read_facts(struct tick_configuration *tick, const struct tick_os_config *c)
{
	tick->timer_migration = timer_migration();
	tick->high_resolution = high_resolution(tick->hz);
	tick->threadirqs = forced_threads(tick, c);
	tick->skew_tick = skewed();
}

void tick_read(struct tick_configuration *tick)
{
	struct tick_os_config config;
	char rcu_nocbs[TICK_LINE_SIZE];
	*tick = (struct tick_configuration){.hz = tick_hz()};
	tick_read_config(&config);
	tick_read_list("/sys/devices/system/cpu/nohz_full", tick->nohz_full, sizeof tick->nohz_full);
	tick_read_list("/sys/devices/system/cpu/isolated", tick->isolated, sizeof tick->isolated);
	if (tick_boot_parameter("rcu_nocbs", rcu_nocbs, sizeof rcu_nocbs))
		tick_keep_list(rcu_nocbs, tick->rcu_nocbs, sizeof tick->rcu_nocbs);
	tick_read_mask("/proc/irq/default_smp_affinity", tick->irq_affinity, sizeof tick->irq_affinity);
	tick_read_mask("/sys/devices/virtual/workqueue/cpumask", tick->workqueue_affinity,
		       sizeof tick->workqueue_affinity);
	tick_read_list("/etc/tuned/active_profile", tick->tuned_profile, sizeof tick->tuned_profile);
	tick_read_list("/sys/devices/system/clocksource/clocksource0/current_clocksource", tick->clocksource,
		       sizeof tick->clocksource);
	read_mode(tick, &config);
	tick_read_preemption(tick, &config);
	read_facts(tick, &config);
}
