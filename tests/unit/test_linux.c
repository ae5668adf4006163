/* What is read from a Linux host: files, counters, strands. */
#define _GNU_SOURCE
#include "tests/unit/linux_host.h"
#include <errno.h>
#include <unistd.h>
#include "bind/topology.h"
#include "harness/os/os.h"

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

/* As Linux 6.1 shows it on an emulated UltraSPARC IIi: the timer has no line of its own. */
static void counters_on_sparc(void **state)
{
	uint64_t values[COUNTER_COUNT];
	(void)state;
	put("/proc/interrupts", "            CPU0       \n"
				"   0:         42      none       timer\n"
				"   1:          3     sun4u     -IVEC      power\n"
				"   5:         67     sun4u     -IVEC      su(serial)\n"
				"NMI:          1      Non-maskable interrupts\n");
	os_counters(0, values);
	assert_int_equal(values[COUNTER_TIMER_INTERRUPTS], 42);
	assert_int_equal(values[COUNTER_OTHER_INTERRUPTS], 3 + 67 + 1);
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

static void caches_on_sparc(void **state)
{
	struct topology t = {0};
	(void)state;
	put("/sys/devices/system/cpu/online", "0\n");
	put("/sys/devices/system/cpu/cpu0/l1_dcache_size", "8192\n");
	put("/sys/devices/system/cpu/cpu0/l1_icache_size", "16384\n");
	put("/sys/devices/system/cpu/cpu0/l2_cache_size", "3145728\n");
	assert_int_equal(os_topology(&t), 0);
	assert_int_equal(t.l1d_bytes, 8 << 10);
	assert_int_equal(t.l1i_bytes, 16 << 10);
	assert_int_equal(t.l2_bytes, 3 << 20);
	assert_int_equal(t.l3_bytes, 0);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_HOST(small_files_are_read_whole), ON_A_HOST(counters_of_a_strand), ON_A_HOST(counters_on_sparc),
		ON_A_HOST(the_flat_topology),          ON_A_HOST(caches_on_sparc),      ON_A_HOST(states_of_strands),
	};
	return cmocka_run_group_tests_name("linux", tests, NULL, NULL);
}
