/* Linux: features of a CPU that cannot be asked itself. */
#define _GNU_SOURCE
#include "harness/os/linux-cpu.h"
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include "harness/os/linux-files.h"
#include "harness/os/os.h"

/* AT_HWCAP of SPARC (Linux arch/sparc/include/asm/elf_64.h and uapi/asm/hwcap.h). */
enum { SPARC_VIS = 0x2000, SPARC_FMAF = 0x10000 };

static bool is_t1(void)
{
	char cpu[64];
	return linux_cpuinfo("cpu", cpu, sizeof cpu) > 0 && strstr(cpu, "UltraSparc T1");
}

/* A T1 leaves square roots to a trap (Linux arch/sparc/math-emu/math_64.c: "Niagara always gives unimplemented"). VIS it has in
 * part, so that Linux does not list it; that fpadd32 is in that part shows in what Linux has to emulate there
 * (arch/sparc/kernel/visemul.c). */
int linux_sparc_has(const char *feature, unsigned long hwcap)
{
	if (!strcmp(feature, "fmaf"))
		return (hwcap & SPARC_FMAF) != 0;
	if (!strcmp(feature, "fpadd32"))
		return (hwcap & SPARC_VIS) || is_t1();
	if (!strcmp(feature, "fsqrt"))
		return !is_t1();
	return -ENOTSUP;
}

int os_cpu_has(const char *feature)
{
	struct utsname name;
	uname(&name); /* fails only for a bad address */
	return strncmp(name.machine, "sparc", 5) ? -ENOTSUP : linux_sparc_has(feature, getauxval(AT_HWCAP));
}
