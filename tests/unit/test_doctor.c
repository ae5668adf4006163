/* What the doctor finds on hosts made of files. Each condition has its fine counterpart, and files that hold nonsense. */
#define _GNU_SOURCE
#include "tests/unit/doctor.h"
#include <errno.h>
#include <unistd.h>
#include "asm/isa.h"

static void every_subject_is_spoken_of(void **state)
{
	static const char *const subjects[] = {
		"timer",
		"clock source",
		"strands",
		"CPU quota",
		"right to --realtime",
		"hypervisor",
		"steal",
		"turbo",
		"idle states",
		"right to lock memory",
		"SMT",
		"NMI watchdog",
		"RT throttling",
		"load",
		"frequency governor",
		"NUMA balancing",
		"same-page merging",
		"timer migration",
		"OS tick",
		"device interrupts",
		"huge pages",
		"irqbalance",
		"tuned",
		"causes of peaks",
	};
	struct findings findings = {0};
	(void)state;
	assert_int_equal(os_doctor(&findings, &machine), 0);
	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
		find(&findings, subjects[i]);
	assert_int_equal(findings.count, sizeof subjects / sizeof *subjects);
	for (size_t i = 0; i < findings.count; i++)
		assert_true(findings.items[i].found[0]);
	findings_free(&findings);
}

/* Where nothing can be read nothing is called fine but what the OS then has not. */
static void a_host_that_says_nothing(void **state)
{
	static const char *const unknown[] = {"clock source", "CPU quota",         "steal",      "frequency governor",
					      "turbo",        "device interrupts", "irqbalance", "load"};
	(void)state;
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
		expect(unknown[i], FINDING_NOTE, "not known here", "");
}

/* A folder in the file's place can be opened by everyone, root too, and not be read. */
static void files_that_cannot_be_read(void **state)
{
	static const struct {
		const char *subject, *path;
	} cases[] = {
		{"NMI watchdog", "/proc/sys/kernel/nmi_watchdog"},
		{"same-page merging", "/sys/kernel/mm/ksm/run"},
		{"huge pages", "/sys/kernel/mm/transparent_hugepage/enabled"},
		{"idle states", "/sys/devices/system/cpu/cpuidle/current_driver"},
		{"load", "/proc/loadavg"},
		{"tuned", "/etc/tuned/active_profile"},
		{"CPU quota", "/sys/fs/cgroup/box/cpu.max"},
	};
	char below[256];
	(void)state;
	put("/proc/self/cgroup", "0::/box\n");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(below, sizeof below, "%s/file", cases[i].path);
		put(below, "");
		expect(cases[i].subject, FINDING_NOTE, strerror(EISDIR), "");
	}
}

static void settings(void **state)
{
	static const struct {
		const char *subject, *path, *fine, *wrong;
		enum finding_level level;
		const char *mend;
	} cases[] = {
		{"NMI watchdog", "/proc/sys/kernel/nmi_watchdog", "0\n", "1\n", FINDING_DISTURBS,
		 "sysctl -w kernel.nmi_watchdog=0"},
		{"RT throttling", "/proc/sys/kernel/sched_rt_runtime_us", "-1\n", "950000\n", FINDING_NOTE,
		 "sysctl -w kernel.sched_rt_runtime_us=-1"},
		{"NUMA balancing", "/proc/sys/kernel/numa_balancing", "0\n", "2\n", FINDING_DISTURBS,
		 "sysctl -w kernel.numa_balancing=0"},
		{"timer migration", "/proc/sys/kernel/timer_migration", "1\n", "0\n", FINDING_NOTE,
		 "sysctl -w kernel.timer_migration=1"},
		{"same-page merging", "/sys/kernel/mm/ksm/run", "0\n", "1\n", FINDING_DISTURBS,
		 "echo 0 > /sys/kernel/mm/ksm/run"},
		{"turbo", "/sys/devices/system/cpu/cpufreq/boost", "0\n", "1\n", FINDING_DISTURBS,
		 "echo 0 > /sys/devices/system/cpu/cpufreq/boost"},
		{"turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n", "0\n", FINDING_DISTURBS,
		 "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"},
		{"SMT", "/sys/devices/system/cpu/smt/active", "0\n", "1\n", FINDING_NOTE,
		 "to keep it out: --strands first, or echo off > /sys/devices/system/cpu/smt/control"},
	};
	static const char *const nonsense[] = {"", "\n", "banana\n", "1x\n", "99999999999999999999999\n", "\xff\xfe"};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		put(cases[i].path, cases[i].fine);
		expect(cases[i].subject, FINDING_OK, "", "");
		put(cases[i].path, cases[i].wrong);
		/* The file is named, but for SMT: there it may be the topology that tells. */
		expect(cases[i].subject, cases[i].level,
		       strcmp(cases[i].subject, "SMT") ? cases[i].path : "on:", cases[i].mend);
		for (size_t k = 0; k < sizeof nonsense / sizeof *nonsense; k++) {
			put(cases[i].path, nonsense[k]);
			expect(cases[i].subject, FINDING_NOTE, "not understood", "");
		}
	}
}

static void huge_pages(void **state)
{
	static const char file[] = "/sys/kernel/mm/transparent_hugepage/enabled";
	(void)state;
	expect("huge pages", FINDING_OK, "has no transparent ones", "");
	put(file, "always [madvise] never\n");
	expect("huge pages", FINDING_OK, "[madvise]", "");
	put(file, "always madvise [never]\n");
	expect("huge pages", FINDING_OK, "[never]", "");
	put(file, "[always] madvise never\n");
	expect("huge pages", FINDING_NOTE, "khugepaged", "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
	put(file, "always");
	expect("huge pages", FINDING_NOTE, "not understood", "");
}

static void steal(void **state)
{
	char found[128];
	unsigned ms = 1000 / (unsigned)sysconf(_SC_CLK_TCK);
	(void)state;
	put("/proc/stat", "cpu  1 2 3 4 5 6 7 99 0 0\ncpu0 1 2 3 4 5 6 7 0 0 0\n");
	expect("steal", FINDING_OK, "no time was stolen", "");
	put("/proc/stat", "cpu  1 2 3 4 5 6 7 99 0 0\ncpu0 1 2 3 4 5 6 7 10 0 0\ncpu1 1 2 3 4 5 6 7 50 0 0\n"
			  "cpu5 1 2 3 4 5 6 7 90 0 0\n");
	snprintf(found, sizeof found, "%u ms since the start of the OS, most of it from strand 1 (%u ms)", 60 * ms,
		 50 * ms);
	expect("steal", FINDING_DISTURBS, found, "ask the host for dedicated CPUs");
	put("/proc/stat", "cpu0 1 2 3\ncpux\ncpu\nintr 5\n"); /* before Linux 2.6.11 there was no such column */
	expect("steal", FINDING_NOTE, "not known here", "");
}

static void other_work(void **state)
{
	(void)state;
	put("/proc/loadavg", "2.00 9 9 1/100 5\n"); /* half of the four usable strands */
	expect("load", FINDING_OK, "2.00 in the last minute", "");
	put("/proc/loadavg", "2.01 0 0 1/100 5\n");
	expect("load", FINDING_DISTURBS, "2.01 in the last minute, on 4 strands", "end them first; top shows which");
	put("/proc/loadavg", "banana\n");
	expect("load", FINDING_NOTE, "not understood", "");
	put("/proc/loadavg", "nan\n");
	expect("load", FINDING_NOTE, "not understood", "");

	put("/proc/1/comm", "init\n");
	put("/proc/irqbalance/comm", "irqbalance\n"); /* no process's folder */
	put("/proc/12/comm", "irqbalanced\n");
	expect("irqbalance", FINDING_OK, "not running", "");
	put("/proc/123/comm", "irqbalance\n");
	expect("irqbalance", FINDING_DISTURBS, "running", "systemctl stop irqbalance");

	expect("tuned", FINDING_OK, "no profile", "");
	put("/etc/tuned/active_profile", "latency-performance\n");
	expect("tuned", FINDING_NOTE, "profile latency-performance is active", "");
}

static void the_tick(void **state)
{
	struct strand one[] = {{0, 0, 0, STRAND_USABLE}};
	const struct topology single = {.strands = one, .count = 1, .core_count = 1, .package_count = 1};
	(void)state;
	expect("OS tick", FINDING_NOTE, "(mode not known); no strand is in nohz_full",
	       "cmtnoise doctor --quiet-strands 1-3 says what would stop it there");
	expect_on(&single, "OS tick", FINDING_NOTE, "no strand is in nohz_full", "");
	put("/sys/devices/system/cpu/nohz_full", "(null)\n");
	expect_on(&single, "OS tick", FINDING_NOTE, "(nohz-idle); no strand is in nohz_full", "");
	put("/sys/devices/system/cpu/nohz_full", "1\n");
	expect("OS tick", FINDING_OK, "strands 1 may stop it", "");
	put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
	expect("clock source", FINDING_NOTE, "hpet, not tsc", "dmesg | grep -i tsc says why; tsc=reliable overrides");
	put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
	expect("clock source", FINDING_OK, "tsc", "");
	put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "stick\n");
	expect("clock source", FINDING_OK, "stick", "");
}

static void device_interrupts(void **state)
{
	static const char file[] = "/proc/irq/default_smp_affinity";
	(void)state;
	put(file, "ff\n");
	expect("device interrupts", FINDING_NOTE, "may go to strands 0-7",
	       "boot with irqaffinity=0, or write a mask to /proc/irq/default_smp_affinity and "
	       "/proc/irq/*/smp_affinity");
	put(file, "1\n");
	expect("device interrupts", FINDING_OK, "may go to strands 0 alone", "");
	put(file, "f0\n");
	expect("device interrupts", FINDING_OK, "may go to strands 4-7 alone", "");
	put(file, "banana\n");
	expect("device interrupts", FINDING_NOTE, "not known here", "");
}

static void states_of_strands(void **state)
{
	struct strand all[] = {{0, 0, 0, STRAND_USABLE}, {1, 1, 0, STRAND_EXCLUDED}, {2, 2, 0, STRAND_EXCLUDED}};
	const struct topology t = {.strands = all, .count = 3, .core_count = 3, .package_count = 1};
	(void)state;
	expect("strands", FINDING_NOTE, "offline: 5", "chcpu -e 5");
	expect_on(&t, "strands", FINDING_NOTE, "excluded: 1-2", strand_state_reason(STRAND_EXCLUDED));
	all[1].state = all[2].state = STRAND_MASKED;
	expect_on(&t, "strands", FINDING_NOTE, "masked: 1-2", strand_state_reason(STRAND_MASKED));
	all[1].state = all[2].state = STRAND_ISOLATED;
	expect_on(&t, "strands", FINDING_NOTE, "isolated: 1-2", "");
	all[1].state = all[2].state = STRAND_USABLE;
	expect_on(&t, "strands", FINDING_OK, "all 3 can be used", "");
}

/* What the CPU itself tells, no file. */
const char isa_timer_name[] = "counter";
static const char *variance;
static const char *hypervisor = "";

const char *isa_timer_variance(void)
{
	return variance;
}

void isa_hypervisor(char *name, size_t size)
{
	snprintf(name, size, "%s", hypervisor);
}

static void what_the_cpu_says(void **state)
{
	(void)state;
	expect("timer", FINDING_OK, "counter, invariant", "");
	expect("hypervisor", FINDING_OK, "none", "");
	variance = "it stops in a sleep state";
	hypervisor = "KVM";
	expect("timer", FINDING_PREVENTS, variance,
	       "--accept-timer measures all the same, and says so in every record");
	expect("hypervisor", FINDING_NOTE, "KVM",
	       "measure on the machine itself, or dedicate and pin its CPUs to this guest");
	hypervisor = "sun4v";
	expect("hypervisor", FINDING_NOTE, "sun4v",
	       "give each domain whole cores (docs/ldom.md), and leave the others idle meanwhile");
	hypervisor = "QEMU TCG";
	expect("hypervisor", FINDING_NOTE, "QEMU TCG", "measure on a machine of this kind");
	variance = NULL;
	hypervisor = "";
}

static void findings_grow(void **state)
{
	struct findings f = {0};
	char text[400];
	(void)state;
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = 0;
	for (unsigned i = 0; i < 100; i++)
		assert_non_null(finding_add(&f, FINDING_NOTE, i ? "subject" : text, "%u %s", i, text));
	assert_int_equal(f.count, 100);
	assert_int_equal(strlen(f.items[0].subject), sizeof f.items->subject - 1);
	assert_memory_equal(f.items[99].found, "99 xxx", 6);
	assert_int_equal(strlen(f.items[99].found), sizeof f.items->found - 1);
	assert_string_equal(f.items[99].mend, "");
	findings_free(&f);
	assert_int_equal(f.count, 0);
	assert_null(f.items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_HOST(every_subject_is_spoken_of),
		ON_A_HOST(a_host_that_says_nothing),
		ON_A_HOST(files_that_cannot_be_read),
		ON_A_HOST(settings),
		ON_A_HOST(huge_pages),
		ON_A_HOST(steal),
		ON_A_HOST(other_work),
		ON_A_HOST(the_tick),
		ON_A_HOST(device_interrupts),
		ON_A_HOST(states_of_strands),
		ON_A_HOST(what_the_cpu_says),
		cmocka_unit_test(findings_grow),
	};
	return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
