/* What Linux tells of a CPU that cannot be asked itself, from files as hosts have them. */
#define _GNU_SOURCE
#include "tests/unit/linux_host.h"
#include <errno.h>
#include "harness/os/linux-cpu.h"
#include "harness/os/os.h"

#define T1 "cpu\t\t: UltraSparc T1 (Niagara)\nfpu\t\t: UltraSparc T1 integrated FPU\ntype\t\t: sun4v\n"
#define IIi "cpu\t\t: TI UltraSparc IIi (Sabre)\ntype\t\t: sun4u\n"

static void values_of_cpuinfo(void **state)
{
	char value[16];
	(void)state;
	assert_int_equal(linux_cpuinfo("cpu", value, sizeof value), -ENOENT);
	put("/proc/cpuinfo", "cpu MHz\t\t: 1000\ncpucaps\t\t: vis\ncpu\t\t: One\ncpu\t\t: Two\nempty\t:\n"
			     "none\nlong : 0123456789abcdefgh\n");
	assert_int_equal(linux_cpuinfo("cpu", value, sizeof value), 3);
	assert_string_equal(value, "One");
	assert_int_equal(linux_cpuinfo("empty", value, sizeof value), 0);
	assert_string_equal(value, "");
	assert_int_equal(linux_cpuinfo("none", value, sizeof value), -ENOENT);
	linux_cpuinfo("long", value, sizeof value);
	assert_string_equal(value, "0123456789abcde");
}

/* The IIi's as an emulated one's cpuinfo lists them, a T1's by the source of Linux 6.1 (arch/sparc/kernel/setup_64.c): no VIS. */
static void features_of_sparcs(void **state)
{
	enum { HWCAP_T1 = 0x8b5f, HWCAP_IIi = 0x2b1f, FMAF = 0x10000 };
	(void)state;
	put("/proc/cpuinfo", T1);
	assert_int_equal(linux_sparc_has("fsqrt", HWCAP_T1), 0);
	assert_int_equal(linux_sparc_has("fpadd32", HWCAP_T1), 1);
	assert_int_equal(linux_sparc_has("fmaf", HWCAP_T1), 0);
	put("/proc/cpuinfo", IIi);
	assert_int_equal(linux_sparc_has("fsqrt", HWCAP_IIi), 1);
	assert_int_equal(linux_sparc_has("fpadd32", HWCAP_IIi), 1);
	assert_int_equal(linux_sparc_has("fpadd32", HWCAP_T1), 0);
	assert_int_equal(linux_sparc_has("fmaf", HWCAP_IIi), 0);
	assert_int_equal(linux_sparc_has("fmaf", HWCAP_IIi | FMAF), 1);
	assert_int_equal(linux_sparc_has("avx2", HWCAP_IIi), -ENOTSUP);
	put("/proc/cpuinfo", "cpu\t\t: UltraSparc T2 (Niagara2)\ntype\t\t: sun4v\n");
	assert_int_equal(linux_sparc_has("fsqrt", HWCAP_IIi), 1);
}

static void expect_hypervisor(const char *expected)
{
	char name[32];
	os_hypervisor(name, sizeof name);
	assert_string_equal(name, expected);
}

static void hypervisors(void **state)
{
	(void)state;
	expect_hypervisor("");
	put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC\n");
	expect_hypervisor("");
	put("/proc/cpuinfo", T1);
	expect_hypervisor("sun4v");
	put("/proc/cpuinfo", IIi);
	expect_hypervisor("");
	put("/sys/firmware/devicetree/base/name", "SUNW,Ultra-5_10");
	expect_hypervisor("");
	put("/sys/firmware/devicetree/base/name", "OpenBiosTeam,OpenBIOS");
	expect_hypervisor("QEMU TCG");
}

static void the_user_emulation(void **state)
{
	(void)state;
	put("/proc/cpuinfo", "type\t\t: sun4u\n");
	expect_hypervisor("QEMU TCG");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_HOST(values_of_cpuinfo),
		ON_A_HOST(features_of_sparcs),
		ON_A_HOST(hypervisors),
		ON_A_HOST(the_user_emulation),
	};
	return cmocka_run_group_tests_name("linux_cpu", tests, NULL, NULL);
}
