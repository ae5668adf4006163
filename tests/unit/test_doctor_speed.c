/* The doctor on what changes the strands' speed. */
#define _GNU_SOURCE
#include "tests/unit/doctor.h"

static void put_governor(unsigned strand, const char *name)
{
	char path[128];
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", strand);
	put(path, name);
}

static void governors(void **state)
{
	static const char mend[] = "cpupower frequency-set -g performance";
	(void)state;
	put_governor(5, "powersave\n"); /* offline: its governor is nobody's */
	expect("frequency governor", FINDING_NOTE, "not known here", "");
	put_governor(1, "performance\n");
	expect("frequency governor", FINDING_OK, "performance", "");
	put_governor(2, "powersave\n");
	put_governor(3, "powersave\n");
	expect("frequency governor", FINDING_DISTURBS, "powersave on strands 2-3", mend);
	put_governor(0, "ondemand\n");
	expect("frequency governor", FINDING_DISTURBS, "not performance on strands 0,2-3", mend);
}

static void put_idle_state(unsigned number, const char *name, const char *latency, const char *disabled)
{
	char path[128];
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cpuidle/state%u/name", number);
	put(path, name);
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cpuidle/state%u/latency", number);
	put(path, latency);
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cpuidle/state%u/disable", number);
	put(path, disabled);
}

static void idle_states(void **state)
{
	static const char file[] = "/sys/devices/system/cpu/cpuidle/current_driver";
	static const char mend[] = "cpupower idle-set -D 1, or hold /dev/cpu_dma_latency open with 0 written to it";
	(void)state;
	expect("idle states", FINDING_OK, "no idle driver", "");
	put(file, "none\n");
	expect("idle states", FINDING_OK, "no idle driver", "");
	put(file, "intel_idle\n");
	expect("idle states", FINDING_NOTE, "driver intel_idle", mend);
	put_idle_state(0, "POLL\n", "0\n", "0\n");
	put_idle_state(1, "C1\n", "2\n", "0\n");
	expect("idle states", FINDING_OK, "the deepest in use, C1, takes 2 us", "");
	put_idle_state(2, "C6\n", "133\n", "0\n");
	expect("idle states", FINDING_NOTE, "the deepest in use, C6, takes 133 us", mend);
	put_idle_state(2, "C6\n", "133\n", "1\n");
	expect("idle states", FINDING_OK, "the deepest in use, C1", "");
}

/* Where the OS has no file for it, the topology tells. */
static void smt_by_topology(void **state)
{
	struct strand siblings[] = {{0, 0, 0, STRAND_USABLE}, {1, 0, 0, STRAND_USABLE}};
	const struct topology core = {.strands = siblings, .count = 2, .core_count = 1, .package_count = 1};
	(void)state;
	expect("SMT", FINDING_OK, "one strand a core", "");
	expect_on(&core, "SMT", FINDING_NOTE, "on", "to keep it out: --strands first");
	siblings[1].state = STRAND_EXCLUDED;
	expect_on(&core, "SMT", FINDING_OK, "one strand a core", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_HOST(governors),
		ON_A_HOST(idle_states),
		ON_A_HOST(smt_by_topology),
	};
	return cmocka_run_group_tests_name("doctor: speed", tests, NULL, NULL);
}
