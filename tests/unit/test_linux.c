/* What is read from a Linux host, against hosts made of files in a temporary folder. */
#define _GNU_SOURCE
#include "bind/topology.h"
#include "domains/tick/tick.h"
#include "harness/findings.h"
#include "harness/os/linux-files.h"
#include "harness/os/os.h"
#include "tests/unit/test.h"
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static char root[64];

static void put(const char *path, const char *text)
{
	char full[512];
	snprintf(full, sizeof full, "%s%s", root, path);
	for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(full, 0777);
		*slash = '/';
	}
	FILE *file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

static int new_host(void **state)
{
	(void)state;
	snprintf(root, sizeof root, "/tmp/cmtnoise-host-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	linux_set_root(root);
	return 0;
}

static int end_host(void **state)
{
	(void)state;
	linux_set_root("");
	return nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void put_config(const char *text)
{
	struct utsname name;
	char path[256];
	uname(&name);
	snprintf(path, sizeof path, "/boot/config-%s", name.release);
	put(path, text);
}

static void small_files_are_read_whole(void **state)
{
	char text[16];
	(void)state;
	put("/a", "  value \n\n");
	assert_int_equal(linux_read("/a", text, sizeof text), 7);
	assert_string_equal(text, "  value");
	put("/long", "0123456789abcdefghij");
	assert_int_equal(linux_read("/long", text, sizeof text), 15);
	put("/empty", "");
	assert_int_equal(linux_read("/empty", text, sizeof text), 0);
	assert_int_equal(linux_read("/none", text, sizeof text), -ENOENT);
	assert_string_equal(text, "");
}

static void a_host_that_says_nothing(void **state)
{
	struct tick_configuration tick;
	(void)state;
	tick_read(&tick);
	assert_string_equal(tick.mode, "");
	assert_string_equal(tick.preemption, "");
	assert_string_equal(tick.nohz_full, "");
	assert_string_equal(tick.irq_affinity, "");
	assert_string_equal(tick.clocksource, "");
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
	tick_read(&tick);
	assert_string_equal(tick.mode, "nohz-full");
	assert_string_equal(tick.nohz_full, "1-3");
	assert_string_equal(tick.isolated, "1-3");
	assert_string_equal(tick.rcu_nocbs, "1-3"); /* the last one counts */
	assert_string_equal(tick.irq_affinity, "0,32");
	assert_string_equal(tick.clocksource, "tsc");
	assert_string_equal(tick.preemption, "full");
}

static void modes_and_preemption(void **state)
{
	static const struct {
		const char *config, *boot, *nohz_full, *mode, *preemption;
	} hosts[] = {
		{"CONFIG_HZ=100\nCONFIG_HZ_PERIODIC=y\nCONFIG_PREEMPT_NONE=y\n", "", "", "periodic", "none"},
		{"CONFIG_HZ=250\nCONFIG_NO_HZ_IDLE=y\nCONFIG_PREEMPT_VOLUNTARY=y\n", "", "", "nohz-idle", "voluntary"},
		{"CONFIG_HZ=250\nCONFIG_NO_HZ_IDLE=y\nCONFIG_PREEMPT_VOLUNTARY=y\n", "nohz=off preempt=full", "",
		 "periodic", "full"},
		{"CONFIG_NO_HZ_FULL=y\nCONFIG_PREEMPT_RT=y\n", "nohz=on", "(null)", "nohz-idle", "rt"},
		{"CONFIG_NO_HZ_FULL=y\n# CONFIG_PREEMPT is not set\n", "", "", "nohz-idle", ""},
		{"garbage\n\xff\n", "xnohz=off", "", "", ""},
	};
	struct tick_configuration tick;
	(void)state;
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		put_config(hosts[i].config);
		put("/proc/cmdline", hosts[i].boot);
		put("/sys/devices/system/cpu/nohz_full", hosts[i].nohz_full);
		tick_read(&tick);
		assert_string_equal(tick.mode, hosts[i].mode);
		assert_string_equal(tick.preemption, hosts[i].preemption);
	}
	put("/sys/kernel/realtime", "1\n");
	tick_read(&tick);
	assert_string_equal(tick.preemption, "rt");
}

static void counters_of_a_strand(void **state)
{
	uint64_t values[COUNTER_COUNT];
	(void)state;
	/* Strand 1 is offline: columns are not strand numbers. */
	put("/proc/interrupts", "            CPU0       CPU2       CPU10\n"
				"   0:         44          5          6   IO-APIC   2-edge      timer\n"
				"  24:          1          2          3   PCI-MSI 512-edge      disk 99\n"
				" NMI:          7          8          9   Non-maskable interrupts\n"
				" LOC:        100        200        300   Local timer interrupts\n"
				" RES:         10         20         30   Rescheduling interrupts\n"
				" CAL:          1          2          3   Function call interrupts\n"
				" ERR:          5\n");
	put("/proc/stat", "cpu  1 1 1 1 1 1 1 999 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\ncpu2 1 2 3 4 5 6 7 50 0 0\n");
	os_counters(2, values);
	assert_int_equal(values[COUNTER_TIMER_INTERRUPTS], 200);
	assert_int_equal(values[COUNTER_RESCHEDULE_INTERRUPTS], 20);
	assert_int_equal(values[COUNTER_FUNCTION_CALL_INTERRUPTS], 2);
	assert_int_equal(values[COUNTER_OTHER_INTERRUPTS], 5 + 2 + 8);
	assert_int_equal(values[COUNTER_STEAL_MS], 50 * 1000 / sysconf(_SC_CLK_TCK));
	assert_true(values[COUNTER_MINOR_FAULTS] != COUNTER_UNKNOWN);
	os_counters(10, values);
	assert_int_equal(values[COUNTER_TIMER_INTERRUPTS], 300);
	assert_int_equal(values[COUNTER_STEAL_MS], COUNTER_UNKNOWN);
	os_counters(1, values);
	assert_int_equal(values[COUNTER_TIMER_INTERRUPTS], COUNTER_UNKNOWN);
}

static void put_strand(unsigned id, const char *core, const char *package)
{
	char path[128];
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/core_id", id);
	put(path, core);
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/physical_package_id", id);
	put(path, package);
}

static void the_flat_topology(void **state)
{
	struct topology t = {0};
	(void)state;
	put("/sys/devices/system/cpu/online", "0-3,6\n");
	put_strand(0, "0", "0");
	put_strand(1, "4", "0");
	put_strand(2, "0", "0"); /* a sibling of strand 0 */
	put_strand(3, "0", "1"); /* the same core id in another package */
	put_strand(6, "4", "1");
	put("/sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
	put("/sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");
	put("/sys/devices/system/cpu/cpu0/cache/index0/size", "48K\n");
	put("/sys/devices/system/cpu/cpu0/cache/index1/level", "3\n");
	put("/sys/devices/system/cpu/cpu0/cache/index1/type", "Unified\n");
	put("/sys/devices/system/cpu/cpu0/cache/index1/size", "32M\n");
	assert_int_equal(os_topology(&t), 0);
	static const struct strand expected[] = {{0, 0, 0, 0}, {1, 1, 0, 0}, {2, 0, 0, 0}, {3, 2, 1, 0}, {6, 3, 1, 0}};
	assert_int_equal(t.count, 5);
	assert_memory_equal(t.strands, expected, sizeof expected);
	assert_int_equal(t.core_count, 4);
	assert_int_equal(t.package_count, 2);
	assert_int_equal(t.l1d_bytes, 48 << 10);
	assert_int_equal(t.l3_bytes, 32 << 20);
	assert_int_equal(t.l2_bytes, 0);
	topology_free(&t);
	put("/sys/devices/system/cpu/online", "nonsense\n");
	t = (struct topology){0};
	assert_int_equal(os_topology(&t), -EINVAL);
	topology_free(&t);
}

/* Of strand 0 of the host that runs this, and of strands that only the files know. */
static void states_of_strands(void **state)
{
	struct topology t = {
		.strands = calloc(1, sizeof(struct strand)), .count = 1, .core_count = 1, .package_count = 1};
	(void)state;
	put("/sys/devices/system/cpu/offline", "3000-3001\n");
	assert_int_equal(os_strand_states(&t), 0);
	assert_int_equal(t.count, 3);
	assert_int_equal(t.strands[2].id, 3001);
	assert_int_equal(t.strands[2].state, STRAND_OFFLINE);
	assert_int_equal(t.strands[2].core, STRAND_NOWHERE);
	if (strand_can_run(t.strands[0].state)) {
		put("/sys/devices/system/cpu/isolated", "0\n");
		assert_int_equal(os_strand_states(&t), 0);
		assert_int_equal(t.strands[0].state, STRAND_ISOLATED);
	}
	assert_int_equal(t.count, 3); /* offline ones are not added twice */
	assert_int_equal(t.strands[1].state, STRAND_OFFLINE);
	topology_free(&t);
}

/* The finding on a subject, or fails. */
static const struct finding *find(const struct findings *f, const char *subject)
{
	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->items[i].subject, subject))
			return &f->items[i];
	fail_msg("nothing was found on '%s'", subject);
	return NULL;
}

static void expect(const char *subject, enum finding_level level, const char *found, const char *mend)
{
	struct strand strands[] = {{0, 0, 0, STRAND_USABLE}, {1, 1, 0, STRAND_USABLE}, {2, 2, 0, STRAND_OFFLINE}};
	const struct topology t = {.strands = strands, .count = 3, .core_count = 3, .package_count = 1};
	struct findings findings = {0};
	assert_int_equal(os_doctor(&findings, &t), 0);
	const struct finding *f = find(&findings, subject);
	if (f->level != level || !strstr(f->found, found) || !strstr(f->mend, mend))
		fail_msg("%s: level %d, '%s', mend '%s'", subject, f->level, f->found, f->mend);
	if (level >= FINDING_DISTURBS)
		assert_true(*f->effect && *f->mend);
	findings_free(&findings);
}

static void the_doctor_sees_numbers(void **state)
{
	static const struct {
		const char *subject, *path, *fine, *wrong;
		enum finding_level level;
		const char *mend;
	} cases[] = {
		{"SMT", "/sys/devices/system/cpu/smt/active", "0\n", "1\n", FINDING_NOTE, "--strands first"},
		{"turbo", "/sys/devices/system/cpu/cpufreq/boost", "0\n", "1\n", FINDING_DISTURBS,
		 "echo 0 > /sys/devices/system/cpu/cpufreq/boost"},
		{"turbo (intel_pstate)", "/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n", "0\n",
		 FINDING_DISTURBS, "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"},
		{"NMI watchdog", "/proc/sys/kernel/nmi_watchdog", "0\n", "1\n", FINDING_DISTURBS,
		 "sysctl -w kernel.nmi_watchdog=0"},
		{"RT throttling", "/proc/sys/kernel/sched_rt_runtime_us", "-1\n", "950000\n", FINDING_NOTE,
		 "sysctl -w kernel.sched_rt_runtime_us=-1"},
		{"NUMA balancing", "/proc/sys/kernel/numa_balancing", "0\n", "1\n", FINDING_DISTURBS,
		 "sysctl -w kernel.numa_balancing=0"},
		{"same-page merging", "/sys/kernel/mm/ksm/run", "0\n", "1\n", FINDING_DISTURBS,
		 "echo 0 > /sys/kernel/mm/ksm/run"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		put(cases[i].path, cases[i].fine);
		expect(cases[i].subject, FINDING_OK, "", "");
		put(cases[i].path, cases[i].wrong);
		expect(cases[i].subject, cases[i].level, cases[i].path, cases[i].mend);
		put(cases[i].path, "banana\n");
		expect(cases[i].subject, FINDING_NOTE, "not understood", "");
		put(cases[i].path, "");
		expect(cases[i].subject, FINDING_NOTE, "not understood", "");
	}
}

static void the_doctor_sees_a_governor(void **state)
{
	(void)state;
	expect("frequency governor", FINDING_NOTE, "does not govern", "");
	put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
	expect("frequency governor", FINDING_OK, "performance", "");
	put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
	expect("frequency governor", FINDING_DISTURBS, "not performance on strands 1",
	       "cpupower frequency-set -g performance");
}

static void the_doctor_sees_other_work(void **state)
{
	(void)state;
	put("/proc/loadavg", "0.10 0.2 0.3 1/100 5\n");
	expect("load", FINDING_OK, "0.10", "");
	put("/proc/loadavg", "2.00 0.2 0.3 1/100 5\n");
	expect("load", FINDING_DISTURBS, "2.00", "end them first");
	expect("irqbalance", FINDING_OK, "not running", "");
	put("/proc/123/comm", "irqbalance\n");
	expect("irqbalance", FINDING_DISTURBS, "running", "systemctl stop irqbalance");
	expect("steal", FINDING_OK, "no time was stolen", "");
	put("/proc/stat", "cpu0 1 2 3 4 5 6 7 0 0 0\ncpu1 1 2 3 4 5 6 7 50 0 0\n");
	expect("steal", FINDING_DISTURBS, "(strand 1)", "dedicated");
}

static void the_doctor_sees_limits(void **state)
{
	(void)state;
	put("/proc/self/cgroup", "0::/box\n");
	expect("CPU quota", FINDING_OK, "none", "");
	put("/sys/fs/cgroup/box/cpu.max", "max 100000\n");
	expect("CPU quota", FINDING_OK, "none", "");
	put("/sys/fs/cgroup/box/cpu.max", "50000 100000\n");
	expect("CPU quota", FINDING_PREVENTS, "50000 100000", "cpu.max");
	expect("strands", FINDING_NOTE, "offline 2", "online");
}

static void the_doctor_sees_the_tick(void **state)
{
	(void)state;
	expect("OS tick", FINDING_NOTE, "no strand is in nohz_full", "nohz_full=1-2 isolcpus=managed_irq,domain,1-2");
	put("/sys/devices/system/cpu/nohz_full", "1\n");
	expect("OS tick", FINDING_OK, "strands 1 may stop it", "");
	put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
	expect("clock source", FINDING_NOTE, "hpet, not tsc", "dmesg");
}

int main(void)
{
#define ON_A_HOST(test) cmocka_unit_test_setup_teardown(test, new_host, end_host)
	const struct CMUnitTest tests[] = {
		ON_A_HOST(small_files_are_read_whole), ON_A_HOST(a_host_that_says_nothing),
		ON_A_HOST(a_host_with_nohz_full),      ON_A_HOST(modes_and_preemption),
		ON_A_HOST(counters_of_a_strand),       ON_A_HOST(the_flat_topology),
		ON_A_HOST(states_of_strands),          ON_A_HOST(the_doctor_sees_numbers),
		ON_A_HOST(the_doctor_sees_a_governor), ON_A_HOST(the_doctor_sees_other_work),
		ON_A_HOST(the_doctor_sees_limits),     ON_A_HOST(the_doctor_sees_the_tick),
	};
	return cmocka_run_group_tests_name("linux", tests, NULL, NULL);
}
