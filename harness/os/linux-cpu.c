/* Linux: features of a CPU that cannot be asked itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include "harness/os/linux-files.h"
#include "harness/os/os.h"

/* AT_HWCAP of SPARC (Linux arch/sparc/include/asm/elf_64.h and uapi/asm/hwcap.h). */
enum { SPARC_VIS = 0x2000, SPARC_FMAF = 0x10000 };

static bool cpuinfo_says(const char *key, const char *word)
{
	char line[256];
	bool found = false;
	FILE *file = linux_open("/proc/cpuinfo");
	while (file && !found && fgets(line, sizeof line, file))
		found = !strncmp(line, key, strlen(key)) && strstr(line, word);
	if (file)
		fclose(file);
	return found;
}

/* A T1 computes square roots in a trap, and has of VIS just some instructions, so that Linux does not list it. */
static bool is_t1(void)
{
	return cpuinfo_says("cpu", "T1") || cpuinfo_says("cpucaps", "niagara1");
}

static int sparc_has(const char *feature)
{
	unsigned long hwcap = getauxval(AT_HWCAP);
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
	return strncmp(name.machine, "sparc", 5) ? -ENOTSUP : sparc_has(feature);
}
