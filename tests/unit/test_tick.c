/* The tick configuration, read from hosts made of files. The rate alone comes from a clock of the host that runs this. */
#define _GNU_SOURCE
#include "tests/unit/linux_host.h"
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include "domains/tick/tick.h"
#include "harness/json.h"

static void put_config(const char *text)
{
	struct utsname name;
	char path[256];
	uname(&name);
	snprintf(path, sizeof path, "/boot/config-%s", name.release);
	put(path, text);
}

static void a_host_that_says_nothing(void **state)
{
	struct tick_configuration tick;
	(void)state;
	tick_read(&tick);
	assert_string_equal(tick.mode, "");
	assert_string_equal(tick.preemption, "");
	assert_string_equal(tick.nohz_full, "");
	assert_string_equal(tick.isolated, "");
	assert_string_equal(tick.rcu_nocbs, "");
	assert_string_equal(tick.irq_affinity, "");
	assert_string_equal(tick.clocksource, "");
	assert_string_equal(tick.workqueue_affinity, "");
	assert_string_equal(tick.tuned_profile, "");
	assert_int_equal(tick.timer_migration, TICK_UNKNOWN);
	assert_int_equal(tick.threadirqs, TICK_UNKNOWN);
	assert_int_equal(tick.skew_tick, TICK_UNKNOWN);
}

static void a_host_with_nohz_full(void **state)
{
	struct tick_configuration tick;
	(void)state;
	put("/proc/cmdline", "quiet nohz_full=1-3 rcu_nocbs=9 rcu_nocbs=1-3 isolcpus=managed_irq,domain,1-3\n");
	put("/sys/devices/system/cpu/nohz_full", "1-3\n");
	put("/sys/devices/system/cpu/isolated", "1-3\n");
	put("/proc/irq/default_smp_affinity", "1,00000001\n");
	put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
	put("/sys/kernel/debug/sched/preempt", "none voluntary (full) lazy\n");
	put("/sys/devices/virtual/workqueue/cpumask", "00000000,00000009\n");
	put("/etc/tuned/active_profile", "cpu-partitioning\n");
	tick_read(&tick);
	assert_string_equal(tick.workqueue_affinity, "0,3");
	assert_string_equal(tick.tuned_profile, "cpu-partitioning");
	assert_string_equal(tick.mode, "nohz-full");
	assert_string_equal(tick.nohz_full, "1-3");
	assert_string_equal(tick.isolated, "1-3");
	assert_string_equal(tick.rcu_nocbs, "1-3"); /* the last one counts */
	assert_string_equal(tick.irq_affinity, "0,32");
	assert_string_equal(tick.clocksource, "tsc");
	assert_string_equal(tick.preemption, "full");
}

static void modes(void **state)
{
	static const struct {
		const char *config, *boot, *mode;
	} hosts[] = {
		{"CONFIG_HZ=100\nCONFIG_HZ_PERIODIC=y\n", "", "periodic"},
		{"CONFIG_NO_HZ_IDLE=y\n", "", "nohz-idle"},
		{"CONFIG_NO_HZ_FULL=y\n", "nohz=on", "nohz-idle"},
		{"CONFIG_NO_HZ_IDLE=y\n", "quiet nohz=off", "periodic"},
		{"CONFIG_NO_HZ_IDLE=y\n", "nohz=0", "periodic"},
		{"CONFIG_NO_HZ_IDLE=y\n", "nohz=off nohz=1", "nohz-idle"},
		{"CONFIG_NO_HZ_IDLE=y\n", "xnohz=off nohz_full=off nohz=", "nohz-idle"},
		{"# CONFIG_NO_HZ_IDLE=y\nCONFIG_NO_HZ_IDLE=m\ngarbage\n\xff\n", "", ""},
	};
	struct tick_configuration tick;
	(void)state;
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		put_config(hosts[i].config);
		put("/proc/cmdline", hosts[i].boot);
		tick_read(&tick);
		assert_string_equal(tick.mode, hosts[i].mode);
	}
	/* Without a configuration, the file that only NO_HZ_FULL has. */
	put("/sys/devices/system/cpu/nohz_full", "(null)\n");
	tick_read(&tick);
	assert_string_equal(tick.nohz_full, "");
	assert_string_equal(tick.mode, "nohz-idle");
}

static void preemption_models(void **state)
{
	static const struct {
		const char *config, *boot, *version, *debugfs, *preemption;
	} hosts[] = {
		{"CONFIG_PREEMPT_NONE=y\n", "", "", "", "none"},
		{"CONFIG_PREEMPT_VOLUNTARY=y\n", "", "", "", "voluntary"},
		{"CONFIG_PREEMPT=y\n", "", "", "", "full"},
		{"CONFIG_PREEMPT_LAZY=y\n", "", "", "", "lazy"},
		{"# CONFIG_PREEMPT is not set\n", "", "#1 SMP", "", ""},
		/* Obeyed only by an OS that can choose at boot, and only if it is a model. */
		{"CONFIG_PREEMPT_VOLUNTARY=y\n", "preempt=full", "#1 SMP", "", "voluntary"},
		{"CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_DYNAMIC=y\n", "preempt=full", "", "", "full"},
		{"CONFIG_PREEMPT_VOLUNTARY=y\n", "preempt=none", "#1 SMP PREEMPT_DYNAMIC Debian", "", "none"},
		{"CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_DYNAMIC=y\n", "preempt=banana", "", "", "voluntary"},
		/* debugfs tells what is in force. */
		{"CONFIG_PREEMPT=y\nCONFIG_PREEMPT_DYNAMIC=y\n", "preempt=none", "", "none (lazy) full", "lazy"},
		{"CONFIG_PREEMPT=y\n", "", "", "none (", "full"},
		/* RT goes before the model beside it. */
		{"CONFIG_PREEMPT_RT=y\nCONFIG_PREEMPT_LAZY=y\n", "preempt=full", "", "(full) lazy", "rt"},
		{"", "", "#1 SMP PREEMPT_RT Debian 6.1.1", "(full) lazy", "rt"},
		{"", "", "#1 SMP PREEMPT RT", "", "rt"},
		/* No configuration: the version. */
		{"", "", "#1 SMP PREEMPT Mon", "", "full"},
		{"", "", "#1 SMP PREEMPT_LAZY", "", "lazy"},
		{"", "", "#1 SMP PREEMPT_DYNAMIC", "", ""},
		{"", "", "#1 SMP NOPREEMPT PREEMPTED", "", ""},
	};
	struct tick_configuration tick;
	(void)state;
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		put_config(hosts[i].config);
		put("/proc/cmdline", hosts[i].boot);
		put("/proc/sys/kernel/version", hosts[i].version);
		put("/sys/kernel/debug/sched/preempt", hosts[i].debugfs);
		tick_read(&tick);
		if (strcmp(tick.preemption, hosts[i].preemption))
			fail_msg("host %zu: '%s', not '%s'", i, tick.preemption, hosts[i].preemption);
	}
	put("/sys/kernel/realtime", "1\n");
	tick_read(&tick);
	assert_string_equal(tick.preemption, "rt");
}

static void configurations_elsewhere(void **state)
{
	struct tick_configuration tick;
	struct utsname name;
	char path[256], command[512];
	(void)state;
	uname(&name);
	put("/proc/config", "CONFIG_HZ_PERIODIC=y\nCONFIG_PREEMPT_NONE=y\n");
	snprintf(command, sizeof command, "gzip '%s/proc/config'", host_root);
	assert_int_equal(system(command), 0);
	tick_read(&tick);
	assert_string_equal(tick.mode, "periodic");
	assert_string_equal(tick.preemption, "none");
	put("/proc/config.gz", "not packed");
	tick_read(&tick);
	assert_string_equal(tick.mode, "");
	snprintf(path, sizeof path, "/lib/modules/%s/config", name.release);
	put(path, "CONFIG_NO_HZ_IDLE=y\n");
	tick_read(&tick);
	assert_string_equal(tick.mode, "nohz-idle");
}

static void lists_are_never_cut_within_a_number(void **state)
{
	struct tick_configuration tick;
	char list[4096], boot[4200];
	size_t length = 0;
	(void)state;
	for (unsigned id = 1; id < 800; id += 2)
		length += (size_t)snprintf(list + length, sizeof list - length, id > 1 ? ",%u" : "%u", id);
	snprintf(boot, sizeof boot, "rcu_nocbs=%s", list);
	put("/proc/cmdline", boot);
	put("/sys/devices/system/cpu/isolated", list);
	tick_read(&tick);
	const char *lists[] = {tick.isolated, tick.rcu_nocbs};
	for (size_t i = 0; i < 2; i++) {
		size_t kept = strlen(lists[i]) - 3;
		assert_true(kept > 200 && kept + 3 < sizeof tick.isolated);
		assert_string_equal(lists[i] + kept, "...");
		assert_memory_equal(lists[i], list, kept);
		assert_int_equal(list[kept], ',');
	}
}

static void masks(void **state)
{
	static const struct {
		const char *mask, *list;
	} cases[] = {
		{"3\n", "0-1"}, {"F0\n", "4-7"}, {"ff,ffffffff\n", "0-39"}, {"80000000,00000000,00000000\n", "95"},
		{"0\n", ""},    {"", ""},        {"banana\n", ""},          {"-1\n", ""},
	};
	struct tick_configuration tick;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		put("/proc/irq/default_smp_affinity", cases[i].mask);
		tick_read(&tick);
		assert_string_equal(tick.irq_affinity, cases[i].list);
	}
}

/* Of what is asked for on the boot command line or is not, and can be set. */
static void facts(void **state)
{
	static const struct {
		const char *boot, *config, *version;
		enum tick_fact threadirqs, skew_tick;
	} hosts[] = {
		{"quiet", "", "", TICK_NO, TICK_NO},
		{"quiet threadirqs skew_tick=1", "", "", TICK_YES, TICK_YES},
		{"threadirqs", "CONFIG_IRQ_FORCED_THREADING=y\n", "", TICK_YES, TICK_NO},
		{"threadirqs", "CONFIG_HZ=100\n", "", TICK_NO, TICK_NO}, /* built without: the parameter does nothing */
		{"quiet", "", "#1 SMP PREEMPT_RT Debian 6.1.1", TICK_YES, TICK_NO},
		{"skew_tick=1 skew_tick=0", "", "", TICK_NO, TICK_NO},
		{"skew_tick=banana xskew_tick=1 threadirqsx", "", "", TICK_NO, TICK_NO},
		{"skew_tick=0x1", "", "", TICK_NO, TICK_YES},
		{"skew_tick skew_tick=", "", "", TICK_NO, TICK_NO},
	};
	static const struct {
		const char *text;
		enum tick_fact fact;
	} migration[] = {{"1\n", TICK_YES}, {"0\n", TICK_NO}, {"", TICK_UNKNOWN}, {"10\n", TICK_UNKNOWN}};
	struct tick_configuration tick;
	(void)state;
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		put("/proc/cmdline", hosts[i].boot);
		put_config(hosts[i].config);
		put("/proc/sys/kernel/version", hosts[i].version);
		tick_read(&tick);
		if (tick.threadirqs != hosts[i].threadirqs || tick.skew_tick != hosts[i].skew_tick)
			fail_msg("host %zu: threadirqs %d, skew_tick %d", i, tick.threadirqs, tick.skew_tick);
	}
	for (size_t i = 0; i < sizeof migration / sizeof *migration; i++) {
		put("/proc/sys/kernel/timer_migration", migration[i].text);
		tick_read(&tick);
		assert_int_equal(tick.timer_migration, migration[i].fact);
	}
}

/* The steps that the clocks tell of; 0: what the host's own do. */
static long step_ns, coarse_step_ns;

int clock_getres(clockid_t clock, struct timespec *step)
{
	long ns = clock == CLOCK_MONOTONIC_COARSE ? coarse_step_ns : step_ns;
	if (!ns)
		return (int)syscall(SYS_clock_getres, clock, step);
	*step = (struct timespec){.tv_nsec = ns};
	return 0;
}

static void high_resolution_timers(void **state)
{
	static const struct {
		long step_ns, coarse_ns;
		unsigned hz;
		enum tick_fact fact;
	} hosts[] = {
		{1, 4000000, 250, TICK_YES},       {4000000, 4000000, 250, TICK_NO},  {999999, 999999, 1000, TICK_NO},
		{9999999, 10000000, 100, TICK_NO}, {100, 4000000, 250, TICK_UNKNOWN},
	};
	struct tick_configuration tick;
	(void)state;
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		step_ns = hosts[i].step_ns;
		coarse_step_ns = hosts[i].coarse_ns;
		tick_read(&tick);
		assert_int_equal(tick.hz, hosts[i].hz);
		assert_int_equal(tick.high_resolution, hosts[i].fact);
	}
	step_ns = coarse_step_ns = 0;
}

/* The OS's own list of timers, which root may read: another oracle. */
static void high_resolution_by_the_list_of_timers(void **state)
{
	struct tick_configuration tick;
	char line[256];
	unsigned long long ns = 0;
	FILE *list = fopen("/proc/timer_list", "r");
	(void)state;
	while (list && !ns && fgets(line, sizeof line, list))
		sscanf(line, " .resolution: %llu nsecs", &ns);
	if (list)
		fclose(list);
	if (!ns)
		skip();
	tick_read(&tick);
	assert_int_equal(tick.high_resolution, ns == 1 ? TICK_YES : TICK_NO);
}

static int64_t coarse_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The coarse clock steps once a tick, so its least step is the tick's period: an oracle apart from the resolution it tells.
 * Steps may be missed while something else runs, so this looks until it has seen a single one. */
static void the_rate_is_the_coarse_clocks(void **state)
{
	struct tick_configuration tick;
	int64_t begin = coarse_ns(), last = begin, least_ns = INT64_MAX;
	double period_ns;
	(void)state;
	tick_read(&tick);
	if (!tick.hz)
		skip();
	period_ns = 1e9 / tick.hz;
	while (last < begin + 200000000 || ((double)least_ns > 1.5 * period_ns && last < begin + 10000000000)) {
		int64_t now = coarse_ns();
		if (now > last && last > begin && now - last < least_ns)
			least_ns = now - last;
		last = now;
	}
	assert_true((double)least_ns > 0.5 * period_ns);
	assert_true((double)least_ns < 1.5 * period_ns);
}

static void as_json(void **state)
{
	struct tick_configuration tick = {.hz = 250,
					  .mode = "nohz-full",
					  .nohz_full = "1,3-7",
					  .timer_migration = TICK_YES,
					  .skew_tick = TICK_NO};
	struct collected c;
	struct json j;
	(void)state;
	collect_begin(&c);
	json_init(&j, &c.text);
	json_object(&j, NULL);
	tick_json(&j, &tick);
	tick_json(&j, &(struct tick_configuration){0});
	json_end_object(&j);
	assert_int_equal(text_finish(&c.text), 0);
	assert_non_null(strstr(c.bytes, "\"hz\": 250"));
	assert_non_null(strstr(c.bytes, "\"mode\": \"nohz-full\""));
	assert_non_null(strstr(c.bytes, "\"nohz_full\": \"1,3-7\""));
	assert_non_null(strstr(c.bytes, "\"preemption\": null"));
	assert_non_null(strstr(c.bytes, "\"hz\": null"));
	assert_non_null(strstr(c.bytes, "\"clocksource\": null"));
	assert_non_null(strstr(c.bytes, "\"timer_migration\": true"));
	assert_non_null(strstr(c.bytes, "\"skew_tick\": false"));
	assert_non_null(strstr(c.bytes, "\"threadirqs\": null"));
	assert_non_null(strstr(c.bytes, "\"high_resolution\": null"));
	assert_non_null(strstr(c.bytes, "\"tuned_profile\": null"));
	assert_non_null(strstr(c.bytes, "\"workqueue_affinity\": null"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_HOST(a_host_that_says_nothing),
		ON_A_HOST(a_host_with_nohz_full),
		ON_A_HOST(modes),
		ON_A_HOST(preemption_models),
		ON_A_HOST(configurations_elsewhere),
		ON_A_HOST(lists_are_never_cut_within_a_number),
		ON_A_HOST(masks),
		ON_A_HOST(facts),
		ON_A_HOST(high_resolution_timers),
		cmocka_unit_test(high_resolution_by_the_list_of_timers),
		cmocka_unit_test(the_rate_is_the_coarse_clocks),
		cmocka_unit_test(as_json),
	};
	return cmocka_run_group_tests_name("tick", tests, NULL, NULL);
}
